// Where this server is: "" at a host of its own, "/arena" where a proxy shows it below that path.

export const SITE = new URL("../..", import.meta.url).pathname.replace(/\/$/, "");
