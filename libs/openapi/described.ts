import type { ApiContext, Describe, Description, Operation } from './operation';

const descriptions = new WeakMap<object, Describe>();

/**
 * Decorates the handler of a route with its description in the OpenAPI document. A function is called when the document
 * is made, not when the service starts.
 */
export const Described =
  (description: Operation | Describe): MethodDecorator =>
  (_target, _name, { value }) => {
    const describe = typeof description === 'function' ? description : () => ({ operations: [description] });
    descriptions.set(value as object, describe);
  };

/** Returns the description of a handler, or undefined. */
export const descriptionOf = (handler: object, context: ApiContext): Description | undefined =>
  descriptions.get(handler)?.(context);
