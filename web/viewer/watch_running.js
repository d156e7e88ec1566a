// The page on which a match of bots is watched while they play it.

import { SITE } from "../shared/site.js";
import { LiveMatch, followRunning } from "./live.js";

// Of a page /matches/ID/watch this is matches/ID, and so on.
const topic = location.pathname.slice(SITE.length).replace(/^\/|\/watch$/g, "");
followRunning(new LiveMatch(topic));
