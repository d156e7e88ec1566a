// The page on which a match of bots is watched while they play it.

import { LiveMatch, followMatch, findTopic } from "./live.js";

followMatch(new LiveMatch(findTopic()));
