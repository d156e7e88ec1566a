// The page on which a match is watched: games of people and a match of the command line go on, all
// others are over.

import { LiveMatch, followMatch, loadMatch, findTopic } from "./live.js";

const topic = findTopic();
(topic.startsWith("games/") ? followMatch : loadMatch)(new LiveMatch(topic));
