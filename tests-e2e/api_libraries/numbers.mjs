// Prints the names and numbers of the original's SDK, as JSON: node numbers.mjs
// What it prints is kept in libs/contracts/zitadel/names.json; run it again when the SDK is a newer one.
import { ScalarType } from "@bufbuild/protobuf";
import { file_zitadel_oidc_v2_oidc_service as oidc } from "@zitadel/proto/zitadel/oidc/v2/oidc_service_pb.js";
import { file_zitadel_session_v2_session_service as sessions } from "@zitadel/proto/zitadel/session/v2/session_service_pb.js";
import { file_zitadel_settings_v2_settings_service as settings } from "@zitadel/proto/zitadel/settings/v2/settings_service_pb.js";
import { file_zitadel_user_v2_user_service as users } from "@zitadel/proto/zitadel/user/v2/user_service_pb.js";
import { readFileSync } from "node:fs";

const sdk = JSON.parse(readFileSync(new URL("node_modules/@zitadel/proto/package.json", import.meta.url)));
const messages = {};
const enums = {};

function typeOf(field) {
  const one = field.message ?? field.enum;
  return one ? one.typeName : ScalarType[field.scalar].toLowerCase();
}

function enumOf(described) {
  enums[described.typeName] = Object.fromEntries(described.values.map((value) => [value.name, value.number]));
}

function messageOf(described) {
  if (described.typeName in messages || described.typeName.startsWith("google.")) return;
  const fields = {};
  messages[described.typeName] = fields;
  for (const field of described.fields) {
    const facts = { number: field.number, type: typeOf(field) };
    if (field.fieldKind === "list") facts.repeated = true;
    if (field.fieldKind === "map") facts.key = ScalarType[field.mapKey].toLowerCase();
    if (field.proto.proto3Optional) facts.optional = true;
    if (field.oneof) facts.oneof = field.oneof.name;
    fields[field.name] = facts;
    if (field.message) messageOf(field.message);
    if (field.enum) enumOf(field.enum);
  }
}

const methods = {};
for (const service of [users, sessions, oidc, settings].map((file) => file.services[0])) {
  for (const method of service.methods) {
    methods[`${service.typeName}.${method.name}`] = [method.input.typeName, method.output.typeName];
    messageOf(method.input);
    messageOf(method.output);
  }
}
const sorted = (table) => Object.fromEntries(Object.entries(table).sort(([one], [other]) => (one < other ? -1 : 1)));
const numbers = { sdk: `${sdk.name} ${sdk.version}`, license: sdk.license, methods, messages: sorted(messages), enums: sorted(enums) };
// One line for each field.
console.log(JSON.stringify(numbers, null, 1).replace(/\{\n\s+"number": ([^}]*?)\n\s+\}/g, (found) => found.replace(/\s+/g, " ")).replace(/\[\n\s+([^\]]*?)\n\s+\]/g, (found) => found.replace(/\s+/g, " ")));
