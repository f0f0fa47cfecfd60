// node-oidc-provider as it is deployed: one process, production mode, signed cookies, and Redis through an adapter that
// stores what the one in its examples stores. Settings come from the environment (see bench/node_target.py). Users are
// not stored; browsers are signed in and have consented before it listens.
import { generateKeyPairSync } from "node:crypto";
import { writeFileSync } from "node:fs";
import Redis from "ioredis";
import Keygrip from "keygrip";
import Provider from "oidc-provider";

const { ISSUER, SECRET, REDIRECT_URI, REDIS_URL, REDIS_USER, MEMBERS, SESSIONS } = process.env;
const LIFETIME = 24 * 3600;
const SCOPE = "openid profile email offline_access";
const API = "urn:bench:api";
const CODE_CLIENT = "node-opaque";
// Commands of one turn of the event loop go in one write: ioredis documents this option, and it halves the time of a token.
const redis = new Redis(REDIS_URL, {
  username: REDIS_USER,
  password: SECRET,
  keyPrefix: `${REDIS_USER}:`,
  enableReadyCheck: false,
  enableAutoPipelining: true,
});
const OF_GRANTS = new Set(["AccessToken", "AuthorizationCode", "RefreshToken"]);
const USED_ONCE = new Set(["AuthorizationCode", "RefreshToken"]);

class Adapter {
  constructor(name) {
    this.name = name;
  }

  key(id) {
    return `${this.name}:${id}`;
  }

  async upsert(id, payload, seconds) {
    const text = JSON.stringify(payload);
    const key = this.key(id);
    const write = redis.multi();
    if (USED_ONCE.has(this.name)) write.hset(key, { payload: text });
    else write.set(key, text);
    if (seconds) write.expire(key, seconds);
    if (OF_GRANTS.has(this.name) && payload.grantId) {
      const grant = `grant:${payload.grantId}`;
      write.rpush(grant, key);
      if (seconds > (await redis.ttl(grant))) write.expire(grant, seconds);
    }
    if (payload.uid) write.set(`uid:${payload.uid}`, id, "EX", seconds);
    await write.exec();
  }

  async find(id) {
    if (!USED_ONCE.has(this.name)) {
      const text = await redis.get(this.key(id));
      return text ? JSON.parse(text) : undefined;
    }
    const { payload, ...rest } = await redis.hgetall(this.key(id));
    return payload ? { ...rest, ...JSON.parse(payload) } : undefined;
  }

  async findByUid(uid) {
    return this.find(await redis.get(`uid:${uid}`));
  }

  async destroy(id) {
    await redis.del(this.key(id));
  }

  async consume(id) {
    await redis.hset(this.key(id), "consumed", Math.floor(Date.now() / 1000));
  }

  async revokeByGrantId(grantId) {
    const keys = await redis.lrange(`grant:${grantId}`, 0, -1);
    await redis.del(...keys, `grant:${grantId}`);
  }
}

function client(id) {
  return {
    client_id: id,
    client_secret: SECRET,
    redirect_uris: [REDIRECT_URI],
    response_types: ["code"],
    grant_types: ["authorization_code", "refresh_token", "client_credentials"],
    scope: SCOPE,
  };
}

function account(sub) {
  const name = { name: "A Person", given_name: "A", family_name: "Person", locale: "en", updated_at: 1700000000 };
  return { sub, ...name, email: `${sub}@mail.example.test`, email_verified: true };
}

const signing = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ format: "jwk" });
const cookies = new Keygrip([SECRET]);
const provider = new Provider(ISSUER, {
  adapter: Adapter,
  clients: [client(CODE_CLIENT), client("node-RS256")],
  claims: {
    openid: ["sub"],
    email: ["email", "email_verified"],
    profile: ["name", "given_name", "family_name", "locale", "updated_at"],
  },
  cookies: { keys: [SECRET] },
  features: {
    clientCredentials: { enabled: true },
    devInteractions: { enabled: false },
    introspection: { enabled: true },
    resourceIndicators: {
      enabled: true,
      // The API of this client has JWTs as access tokens.
      defaultResource: (_context, { clientId }) => (clientId === "node-RS256" ? API : undefined),
      getResourceServerInfo: () => ({ scope: SCOPE, accessTokenFormat: "jwt", jwt: { sign: { alg: "RS256" } } }),
    },
  },
  findAccount: (_context, sub) => ({ accountId: sub, claims: () => account(sub) }),
  interactions: { url: () => "/interaction" },
  jwks: { keys: [{ ...signing, alg: "RS256", use: "sig", kid: "bench" }] },
  rotateRefreshToken: true,
  ttl: { AccessToken: 3600, AuthorizationCode: 60, ClientCredentials: 3600, IdToken: 3600, RefreshToken: LIFETIME, Session: LIFETIME, Grant: LIFETIME },
});

async function signIn(number) {
  const accountId = `person-${number}`;
  const grant = new provider.Grant({ clientId: CODE_CLIENT, accountId });
  grant.addOIDCScope(SCOPE);
  const grantId = await grant.save(LIFETIME);
  const session = new provider.Session({});
  session.loginAccount({ accountId });
  session.ensureClientContainer(CODE_CLIENT);
  session.grantIdFor(CODE_CLIENT, grantId);
  await session.save(LIFETIME);
  const authTime = session.authTime();
  const issued = { accountId, authTime, client: await provider.Client.find(CODE_CLIENT), grantId, gty: "authorization_code", scope: SCOPE };
  const refreshToken = await new provider.RefreshToken(issued).save();
  const cookie = `_session=${session.id}`;
  return { cookie: `${cookie}; _session.sig=${cookies.sign(cookie)}`, refresh_token: refreshToken };
}

const members = await Promise.all(Array.from({ length: Number(SESSIONS) }, (_, number) => signIn(number)));
writeFileSync(MEMBERS, JSON.stringify(members), { mode: 0o600 });
const { hostname, port } = new URL(ISSUER);
provider.listen(Number(port), hostname);
