// Asks a key, for an answer or to become a new one, and sends what it says (WebAuthn, sections 7.1 and 7.2 from the
// page's side); on the page of the login name it has the browser offer passkeys in the field. It decides nothing.
"use strict";
{
  const start = document.getElementById("webauthn-start");
  const say = (id, said) => { document.getElementById(id).hidden = !said; };

  const bytes = (text) =>
    Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0));
  const text = (buffer) =>
    btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");

  // Older browsers have neither parseRequestOptionsFromJSON nor toJSON.
  const keysIn = (list) => (list || []).map((one) => ({ ...one, id: bytes(one.id) }));
  const optionsIn = (json) => ({
    ...json,
    challenge: bytes(json.challenge),
    allowCredentials: keysIn(json.allowCredentials),
  });
  const newOptionsIn = (json) => ({
    ...json,
    challenge: bytes(json.challenge),
    user: { ...json.user, id: bytes(json.user.id) },
    excludeCredentials: keysIn(json.excludeCredentials),
  });
  const answerOf = (key) => ({
    id: key.id,
    rawId: text(key.rawId),
    type: key.type,
    clientExtensionResults: key.getClientExtensionResults(),
    response: {
      authenticatorData: text(key.response.authenticatorData),
      clientDataJSON: text(key.response.clientDataJSON),
      signature: text(key.response.signature),
      ...(key.response.userHandle ? { userHandle: text(key.response.userHandle) } : {}),
    },
  });

  const newKeyOf = (key) => ({
    id: key.id,
    rawId: text(key.rawId),
    type: key.type,
    clientExtensionResults: key.getClientExtensionResults(),
    response: {
      attestationObject: text(key.response.attestationObject),
      clientDataJSON: text(key.response.clientDataJSON),
      transports: key.response.getTransports ? key.response.getTransports() : [],
    },
  });

  const said = async (options) =>
    start.dataset.use === "create"
      ? newKeyOf(await navigator.credentials.create({ publicKey: newOptionsIn(options) }))
      : answerOf(await navigator.credentials.get({ publicKey: optionsIn(options) }));

  const send = (answer) => {
    const credential = document.getElementById("credential");
    credential.value = JSON.stringify(answer);
    credential.form.submit();
  };

  const ask = async (pressed) => {
    // The browser names what is missing: a key that is made for a form that is refused would be of no use.
    if (!start.form.checkValidity()) return;
    pressed.preventDefault();
    start.disabled = true;
    say("webauthn-failed", false);
    say("webauthn-taken", false);
    try {
      send(await said(JSON.parse(start.dataset.options).publicKey));
    } catch (error) {
      // The authenticator has one of excludeCredentials (WebAuthn section 5.1.3, step 26).
      say(error.name === "InvalidStateError" ? "webauthn-taken" : "webauthn-failed", true);
      start.disabled = false;
      start.focus(); // a disabled button lost it
    }
  };

  // A challenge is good for 5 minutes, and may be half that old when it comes.
  const OFFER_MS = 140000;
  const offer = async (address) => {
    if (!(await window.PublicKeyCredential?.isConditionalMediationAvailable?.())) return;
    for (let aborted = true; aborted; ) {
      const answer = await fetch(address, { method: "POST" });
      if (answer.status !== 200) return;
      const publicKey = optionsIn((await answer.json()).publicKey);
      const signal = AbortSignal.timeout(OFFER_MS);
      try {
        send(answerOf(await navigator.credentials.get({ publicKey, mediation: "conditional", signal })));
        return;
      } catch {
        aborted = signal.aborted;
      }
    }
  };

  const field = document.querySelector("[data-offer]");
  if (field) {
    offer(field.dataset.offer).catch(() => {}); // name and password will do
  } else if (window.PublicKeyCredential && navigator.credentials) {
    start.disabled = false;
    start.addEventListener("click", ask);
    start.focus();
  } else {
    say("webauthn-missing", true);
  }
}
