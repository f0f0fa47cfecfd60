// Writes and reads messages with the classes of the original's SDK: JSON lines in, JSON lines out.
// {"type": "AddHumanUserRequest", "json": {...}} gives {"bytes": base64}, {"type": ..., "bytes": base64} gives {"json": ...}.
import { createRegistry, fromBinary, fromJson, toBinary, toJson } from "@bufbuild/protobuf";
import { base64Decode, base64Encode } from "@bufbuild/protobuf/wire";
import { file_zitadel_user_v2_user_service as users } from "@zitadel/proto/zitadel/user/v2/user_service_pb.js";
import { createInterface } from "node:readline";

const registry = createRegistry(users);

for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line);
  const schema = registry.getMessage(`zitadel.user.v2.${asked.type}`);
  const said =
    "json" in asked
      ? { bytes: base64Encode(toBinary(schema, fromJson(schema, asked.json))) }
      : { json: toJson(schema, fromBinary(schema, base64Decode(asked.bytes))) };
  console.log(JSON.stringify(said));
}
