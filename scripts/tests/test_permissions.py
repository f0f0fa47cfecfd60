from __future__ import annotations

from pathlib import Path

from generate_documents import completed
from generated_code.permissions import with_permissions
from generated_files import differing
from portico_contracts.management import METHODS

ROOT = Path(__file__).resolve().parents[2]

FILE = """syntax = "proto3";

package portico.demo.v1;

import "google/api/annotations.proto";

// Demonstrates.
service DemoService {
  // Shows it.
  rpc Show(ShowRequest) returns (ShowResponse) {
    option (google.api.http) = {get: "/demo"};
  }

  // Hides it.
  rpc Hide(HideRequest) returns (HideResponse) {
    option (portico.v1.permission) = {name: "of.yesterday"};
    option (google.api.http) = {delete: "/demo"};
  }
}
"""
WANTED = """syntax = "proto3";

package portico.demo.v1;

import "google/api/annotations.proto";
import "portico/v1/options.proto";

// Demonstrates.
service DemoService {
  // Shows it.
  rpc Show(ShowRequest) returns (ShowResponse) {
    option (portico.v1.permission) = {name: "demo.read"};
    option (google.api.http) = {get: "/demo"};
  }

  // Hides it.
  rpc Hide(HideRequest) returns (HideResponse) {
    option (google.api.http) = {delete: "/demo"};
  }
}
"""
SOME = {
    "portico.management.v1.ProjectService.AddProject": ("project.create", False, "", False),
    "portico.management.v1.CallerService.ListMyOrgs": ("", False, "", False),
    "portico.user.v2.UserService.GetUserByID": ("user.read", True, "", False),
    "portico.user.v2.UserService.DeleteUser": ("user.delete", True, "user.self.delete", True),
    "portico.admin.v1.SettingsService.UpdateOIDCSettings": ("iam.write", False, "", False),
}


def test_option_is_added_replaced_and_removed() -> None:
    known = {"portico.demo.v1.DemoService.Show": '    option (portico.v1.permission) = {name: "demo.read"};\n'}

    assert with_permissions(FILE, known) == WANTED
    assert with_permissions(WANTED, known) == WANTED


def test_proto_files_match_the_operations() -> None:
    """A changed operation without `make gen` is detected."""
    assert differing(ROOT, completed()) == []


def test_methods_have_their_permission_at_run_time() -> None:
    options = {name: METHODS[name].permission for name in SOME}
    found = {name: (one.name, one.own, one.own_needs, one.rights_of_user) for name, one in options.items()}

    assert found == SOME
