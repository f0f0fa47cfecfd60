// A provisioning client made of scimmy: its classes write the requests, and read each answer against their schemas.
// It prints what it saw, and compares each PATCH with what scimmy makes of it.
import SCIMMY from "scimmy";

const { BASE, TOKEN, MAIL } = process.env;
const { User, Group, ServiceProviderConfig } = SCIMMY.Schemas;
const { PatchOp, ListResponse, ErrorResponse } = SCIMMY.Messages;
const PATCH = "urn:ietf:params:scim:api:messages:2.0:PatchOp";
const seen = {};

async function send(method, path, body) {
  const headers = { Authorization: `Bearer ${TOKEN}`, "Content-Type": "application/scim+json" };
  const answer = await fetch(`${BASE}${path}`, { method, headers, body: body && JSON.stringify(body) });
  const text = await answer.text();
  return { status: answer.status, body: text && JSON.parse(text) };
}

// scimmy throws where a value does not fit its schema.
const read = (schema, resource) => JSON.parse(JSON.stringify(new schema(resource, "out")));
const named = ({ userName, displayName, name, title, active, emails }) =>
  ({ userName, displayName, name, title, active, emails });

const config = await send("GET", "/ServiceProviderConfig");
seen.patch = new ServiceProviderConfig(config.body).patch.supported;

const wanted = new User({
  schemas: [User.definition.id], userName: MAIL, displayName: "Ada", title: "Countess", active: true,
  name: { givenName: "Ada", familyName: "Byron" }, emails: [{ value: MAIL, type: "work", primary: true }],
}, "in");
const made = await send("POST", "/Users", wanted);
seen.created = [made.status, JSON.stringify(named(read(User, made.body))) === JSON.stringify(named(wanted))];
const path = `/Users/${made.body.id}`;

seen.patches = [];
for (const operation of [
  { op: "replace", path: "title", value: "Analyst" },
  { op: "add", path: "name.middleName", value: "Augusta" },
  { op: "replace", path: 'emails[type eq "work"].display', value: "Ada at work" },
  { op: "remove", path: "title" },
  { op: "replace", value: { nickName: "Ada", preferredLanguage: "en" } },
  { op: "replace", path: "active", value: false },
]) {
  const message = new PatchOp({ schemas: [PATCH], Operations: [operation] });
  const before = new User((await send("GET", path)).body, "out");
  const expected = read(User, await message.apply(before, async (changed) => changed) ?? before);
  const answer = await send("PATCH", path, message);
  const now = read(User, answer.body);
  delete expected.meta, delete now.meta;
  seen.patches.push([answer.status, sorted(expected) === sorted(now) || [expected, now]]);
}

function sorted(value) {
  const order = (one) => Array.isArray(one) ? one.map(order) : one && typeof one === "object"
    ? Object.fromEntries(Object.keys(one).sort().map((key) => [key, order(one[key])])) : one;
  return JSON.stringify(order(value));
}

const group = await send("POST", "/Groups", new Group(
  { schemas: [Group.definition.id], displayName: `Staff ${MAIL}`, members: [{ value: made.body.id }] }, "in"));
seen.members = read(Group, group.body).members.length;

const found = await send("GET", `/Users?filter=${encodeURIComponent(`userName eq "${MAIL}"`)}`);
const list = new ListResponse(found.body);
seen.found = [list.totalResults, list.Resources.map((one) => read(User, one).userName === MAIL)];

const again = await send("POST", "/Users", wanted);
try {
  new ErrorResponse(again.body);
} catch (error) { // scimmy throws what it read
  seen.conflict = [again.status, error.status, error.scimType];
}

seen.deleted = [(await send("DELETE", `/Groups/${group.body.id}`)).status, (await send("DELETE", path)).status];
console.log(JSON.stringify(seen));
