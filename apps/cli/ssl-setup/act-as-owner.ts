import { lstatSync, readlinkSync, type Stats } from 'node:fs';
import { dirname, join, parse, resolve } from 'node:path';

interface Owner {
  readonly uid: number;
  readonly gid: number;
}

const mostLinks = 40;

/**
 * Runs `work` with the rights of the user who owns the first part of the path that does not belong to root. This user
 * can replace everything below this part at any moment, for example by a symbolic link to a file of root, so a check of
 * the path could not protect root's files. `work` is synchronous, so that no other code runs with these rights. Does
 * not change the rights if the process does not run as root, or if the whole path belongs to root.
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
 * Returns the owner of the first folder, file or link on the path that does not belong to root. Follows only symbolic
 * links of root, because other users can replace their links at any moment.
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
