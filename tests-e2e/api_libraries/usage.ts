// A client's code over the types that openapi-typescript makes of the document. It compiles only while the types say what
// is required: a line after @ts-expect-error that is no error any more is one itself.
import type { components, operations } from "./api";

type Schemas = components["schemas"];
type NewHuman = Schemas["portico.user.v2.AddHumanUserRequest"];
type Sent = operations["user_v2_UserService_AddHumanUser"]["requestBody"]["content"]["application/json"];

const ada: NewHuman = { profile: { firstName: "Ada", lastName: "Byron" }, email: { email: "ada@acme.example" } };
export const sent: Sent = ada;

// @ts-expect-error a person has a name
export const nameless: NewHuman = { email: { email: "ada@acme.example" } };

// @ts-expect-error a person has an email address
export const unreachable: NewHuman = { profile: { firstName: "Ada", lastName: "Byron" } };

// @ts-expect-error both names are required, also where one of them has an alias
export const half: Schemas["portico.user.v2.NewHumanProfile"] = { firstName: "Ada" };

// @ts-expect-error the address itself is required
export const empty: Schemas["portico.user.v2.SetHumanEmail"] = { isVerified: true };

// @ts-expect-error an application has a name
export const app: Schemas["portico.management.v1.AddOIDCAppRequest"] = { redirectUris: ["https://shop.example/cb"] };

// @ts-expect-error an identity provider has an issuer
export const idp: Schemas["portico.management.v1.AddGenericOIDCProviderRequest"] = { name: "partner", clientId: "portico" };
