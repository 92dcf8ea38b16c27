export { Described, descriptionOf } from './described';
export { type DescribedRoute, makeDocument } from './make-document';
export type * from './operation';
export * from './schema';
export * from './operation-parts';
