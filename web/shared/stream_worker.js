// Runs once for all pages of a browser, and has their stream.

import { SharedStream } from "./shared_stream.js";

const ports = new Map(); // by the key of a page
const stream = new SharedStream((key, message) => ports.get(key)?.postMessage({ ...message, key }));

addEventListener("connect", ({ ports: [port] }) => {
  port.onmessage = ({ data }) => {
    if (data.ask === "leave") ports.delete(data.key);
    else ports.set(data.key, port);
    port.postMessage({ state: "here" });
    stream.take(data);
  };
});
