// react-oidc-context, with the finished code.
import { createRoot } from "react-dom/client";
import { useAuth } from "react-oidc-context";
import { SignIn } from "./SignIn.jsx";

function User() {
  const auth = useAuth();
  document.getElementById("rp-signin").onclick = () => auth.signinRedirect();
  document.getElementById("rp-error").textContent = auth.error ? String(auth.error) : "";
  return auth.isAuthenticated ? `Hello ${auth.user.profile.name}` : "nobody";
}

createRoot(document.getElementById("rp-user")).render(
  <SignIn>
    <User />
  </SignIn>,
);
