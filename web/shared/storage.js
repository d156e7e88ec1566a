// What a browser keeps for pages. In private windows, and on some pages of a disk, it may keep nothing.

class BrowserStorage {
  /** @param {() => Storage} open */
  constructor(open) {
    this.open = open;
  }

  /**
   * Return the text under a name: null if there is none, undefined where nothing may be kept.
   * @param {string} name
   */
  load(name) {
    try {
      return this.open().getItem(name);
    } catch {
      return undefined;
    }
  }

  /**
   * Return what is kept as JSON under a name; null if there is nothing, or nothing of ours.
   * @param {string} name
   */
  loadValue(name) {
    try {
      return JSON.parse(this.load(name) ?? "null");
    } catch {
      return null;
    }
  }

  /**
   * Keep a text under a name, or with null nothing; return whether it may be kept.
   * @param {string} name
   * @param {string | null} text
   */
  save(name, text) {
    try {
      if (text === null) this.open().removeItem(name);
      else this.open().setItem(name, text);
      return true;
    } catch {
      return false;
    }
  }
}

export const browserStorage = new BrowserStorage(() => localStorage);
/** What is there as long as its tab. */
export const tabStorage = new BrowserStorage(() => sessionStorage);
