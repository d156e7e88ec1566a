// The page on which a match is watched: games of people and a match of the command line go on, all
// others are over.

import { SITE } from "../shared/site.js";
import { LiveMatch, followMatch, loadMatch } from "./live.js";

// Of a page /games/ID/watch this is games/ID, and so on.
const topic = location.pathname.slice(SITE.length).replace(/^\/|\/watch$/g, "");
(topic.startsWith("games/") ? followMatch : loadMatch)(new LiveMatch(topic));
