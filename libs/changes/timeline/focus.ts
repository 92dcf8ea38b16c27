import type { FactPath } from '#query';

/** The one thing whose history is asked for. Entries then contain its changes only. */
export type Focus =
  | { readonly kind: 'path'; readonly path: FactPath }
  | { readonly kind: 'resource'; readonly type: string; readonly title: string }
  | { readonly kind: 'package'; readonly name: string };
