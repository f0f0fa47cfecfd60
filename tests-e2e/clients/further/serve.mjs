// Serves one page with the script of a library at every path. URL: where.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Application</title>
<button id="rp-signin">Sign in</button> <p id="rp-user"></p><p id="rp-error"></p>
<script type="module" src="/app.js"></script></html>`;

createServer((request, response) => {
  const script = request.url === "/app.js";
  response.setHeader("Content-Type", script ? "text/javascript" : "text/html; charset=utf-8");
  response.end(script ? readFileSync("app.js") : PAGE);
}).listen(Number(new URL(process.env.URL).port), "localhost");
