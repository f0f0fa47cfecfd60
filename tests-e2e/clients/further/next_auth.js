// Serves the finished code of next-auth 4 as Next.js does: a handler of /api/auth. URL: where.
import express from "express";
import { getServerSession } from "next-auth";
import handler, { options } from "./pages/api/auth/[...nextauth].js";

const { URL: HOME } = process.env;
const app = express();

app.use(express.urlencoded({ extended: false }));
app.use((request, response, next) => {
  const pairs = (request.headers.cookie ?? "").split("; ").map((pair) => pair.split("="));
  request.cookies = Object.fromEntries(pairs.map(([name, ...value]) => [name, decodeURIComponent(value.join("="))]));
  next();
});
app.all("/api/auth/*nextauth", (request, response) => {
  const query = { ...request.query, nextauth: request.params.nextauth };
  Object.defineProperty(request, "query", { value: query });
  return handler(request, response);
});
app.get("/", async (request, response) => {
  const session = await getServerSession(request, response, options);
  response.send(`Hello ${session?.user.name}`);
});
app.get("/login", async (request, response) => {
  // What `signIn("portico")` of next-auth does in a browser.
  const read = await fetch(`${HOME}/api/auth/csrf`);
  const cookies = read.headers.getSetCookie();
  const { csrfToken } = await read.json();
  const begun = await fetch(`${HOME}/api/auth/signin/portico`, {
    method: "POST",
    body: new URLSearchParams({ csrfToken, callbackUrl: HOME }),
    headers: { Cookie: cookies.map((cookie) => cookie.split(";")[0]).join("; ") },
    redirect: "manual",
  });
  response.append("Set-Cookie", [...cookies, ...begun.headers.getSetCookie()]);
  response.redirect(begun.headers.get("Location"));
});
app.listen(Number(new URL(HOME).port), "localhost");
