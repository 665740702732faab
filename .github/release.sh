#!/usr/bin/env bash
# Makes a release of all modules together, of a clean checkout:
#
#	.github/release.sh v0.2.0
#
# In each go.mod it requires that version of the modules of this repository, commits that, and tags the commit once for
# each module that users fetch. It pushes nothing, and says what to push.
set -euo pipefail
cd "$(dirname "$0")/.."

module=github.com/bodymotion/motion
version=${1:-}

fail() {
	echo "release.sh: $*" >&2
	exit 1
}

[[ $version =~ ^v[01]\.[0-9]+\.[0-9]+(-[0-9A-Za-z.]+)?$ ]] || fail "usage: .github/release.sh v1.2.3"
[ -z "$(git status --porcelain)" ] || fail "the checkout has changes that are not committed"
grep -qx "## ${version#v}" CHANGELOG.md || fail "CHANGELOG.md has no section \"## ${version#v}\""

# All modules of the workspace, and the tags of those that users fetch: a replace directive is for the checkout alone.
folders=$(GOWORK=$PWD/go.work go work edit -json | sed -n 's|.*"DiskPath": "\./\(.*\)".*|\1|p')
tags=()
for folder in $folders; do
	grep -q '^replace ' "$folder/go.mod" || tags+=("$folder/$version")
done
for tag in "${tags[@]}" "$version"; do
	! git rev-parse -q --verify "refs/tags/$tag" >/dev/null || fail "there is a tag $tag already"
done

for folder in $folders; do
	file=$folder/go.mod
	for path in $(sed -nE "s|^(require)?[[:space:]]+($module[^ ]*) v.*|\2|p" "$file"); do
		go mod edit -require="$path@$version" "$file"
	done
	git add "$file"
done
# The version of the checkout in tests.
file=internal/lab/modproxy/modproxy.go
sed "s|^const Version = .*|const Version = \"$version\"|" "$file" >"$file.new"
mv "$file.new" "$file"
git add "$file"
git diff --cached --quiet || git commit -q -m "release: $version" -m "All modules require each other in this version."

for tag in "${tags[@]}" "$version"; do
	git tag -a -m "$tag" "$tag"
done
echo "Look at it, and push. The last tag starts the release:"
echo "	git push origin HEAD ${tags[*]}"
echo "	git push origin $version"
