// Lets pages that are opened from a disk search: browsers start no worker of such a file, so its
// script runs in a hidden frame. Pages of a web server keep the browser's `Worker`.
"use strict";

if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      this.started = new Promise((resolve) => {
        frame.addEventListener("load", () => resolve(this.start(frame, url)), { once: true });
      });
      document.body.append(frame);
    }

    start(frame, url) {
      const inside = frame.contentWindow;
      inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      const script = frame.contentDocument.createElement("script");
      script.src = url;
      return new Promise((resolve) => {
        script.addEventListener("load", () => resolve(inside));
        frame.contentDocument.body.append(script);
      });
    }

    async postMessage(data) {
      const inside = await this.started;
      inside.dispatchEvent(new MessageEvent("message", { data }));
    }
  };
}
