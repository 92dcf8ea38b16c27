import { lstatSync, readlinkSync, type Stats } from 'node:fs';
import { dirname, join, parse, resolve } from 'node:path';

interface Owner {
  readonly uid: number;
  readonly gid: number;
}

const mostLinks = 40;

/**
 * Searches the path, from its start, for a folder, file or link that does not belong to root, and runs `work` with the
 * rights of its owner. This owner can replace everything below at any moment, for example by a symbolic link to a file
 * of root. So a check of the path before `work` could not protect root's files. `work` is synchronous, so that no other
 * code runs with these rights. Does not change the rights if the process does not run as root, or if the whole path
 * belongs to root.
 */
export function actAsOwner<T>(path: string, work: () => T): T {
  const { geteuid, getegid, getgroups, seteuid, setegid, setgroups } = process;
  const owner = geteuid?.() === 0 ? ownerOf(path) : undefined;
  if (owner === undefined) return work();
  const [group, groups] = [getegid!(), getgroups!()];
  try {
    setgroups!([owner.gid]);
    setegid!(owner.gid);
    seteuid!(owner.uid);
    return work();
  } finally {
    seteuid!(0);
    setegid!(group);
    setgroups!(groups);
  }
}

/**
 * Returns the owner of the first folder, file or link on the path whose owner is not root. Returns undefined if there
 * is none. Follows only symbolic links of root, because other users can replace their links at any moment.
 */
function ownerOf(path: string): Owner | undefined {
  const { root } = parse(path);
  let [at, links] = [root, 0];
  const rest = resolve(path).slice(root.length).split('/');
  for (let part = rest.shift(); part !== undefined; part = rest.shift()) {
    const next = join(at, part);
    const stats: Stats | undefined = lstatSync(next, { throwIfNoEntry: false });
    if (stats === undefined) return undefined;
    if (stats.uid !== 0) return stats;
    if (!stats.isSymbolicLink() || ++links > mostLinks) {
      at = next;
      continue;
    }
    rest.unshift(...resolve(dirname(next), readlinkSync(next)).slice(root.length).split('/'));
    at = root;
  }
  return undefined;
}
