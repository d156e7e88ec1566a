// The page on which a match of bots is watched while they play it.

import { SITE } from "../shared/site.js";
import { LiveMatch, followMatch } from "./live.js";

// Of a page /matches/ID/watch this is matches/ID, and so on.
const topic = location.pathname.slice(SITE.length).replace(/^\/|\/watch$/g, "");
followMatch(new LiveMatch(topic));
