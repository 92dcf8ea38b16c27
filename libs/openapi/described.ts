import type { ApiContext, Describe, Description, Operation } from './operation';

const descriptions = new WeakMap<object, Describe>();

/**
 * Decorates the handler of a route with what the OpenAPI document says of it. A function is called when the document is
 * made, not when the service starts.
 */
export const Described =
  (description: Operation | Describe): MethodDecorator =>
  (_target, _name, { value }) => {
    const describe = typeof description === 'function' ? description : () => ({ operations: [description] });
    descriptions.set(value as object, describe);
  };

/** The description of a handler; undefined: it has none. */
export const descriptionOf = (handler: object, context: ApiContext): Description | undefined =>
  descriptions.get(handler)?.(context);
