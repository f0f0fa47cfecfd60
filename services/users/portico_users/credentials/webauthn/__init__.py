"""WebAuthn credentials: registered, stored, and verified at sign-in (W3C Web Authentication, sections 7.1 and 7.2).

The walk: `registration` begins with a ceremony (`ceremonies`, its challenge good for 5 minutes and one attempt) and
options for the browser (`options`); what the browser made is read by `new_credential`, and kept in `keys`. Sign-in
goes the same way: `sign_in`, `options`, `assertion`. `relying_party` has the relying party and its pages.
"""
