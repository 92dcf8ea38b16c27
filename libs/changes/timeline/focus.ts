import type { FactPath } from '#query';

/** The one thing whose history a request selects. Entries then contain only the changes to this thing. */
export type Focus =
  | { readonly kind: 'path'; readonly path: FactPath }
  | { readonly kind: 'resource'; readonly type: string; readonly title: string }
  | { readonly kind: 'package'; readonly name: string };
