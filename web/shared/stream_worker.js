// Runs once for all pages of a browser, and has their stream.

import { SharedStream } from "./shared_stream.js";

/** @import { StreamRequest } from "./types.d.ts" */

/** @type {Map<string, MessagePort>} */
const ports = new Map(); // by the key of a page
const stream = new SharedStream((key, message) => ports.get(key)?.postMessage({ ...message, key }));

// A page connects: an event that only shared workers have.
addEventListener("connect", (event) => {
  const [port] = /** @type {MessageEvent} */ (event).ports;
  port.onmessage = (/** @type {MessageEvent<StreamRequest>} */ { data }) => {
    if (data.ask === "leave") ports.delete(data.key);
    else if (data.ask === "follow") ports.set(data.key, port);
    port.postMessage({ state: "here" });
    stream.take(data);
  };
});
