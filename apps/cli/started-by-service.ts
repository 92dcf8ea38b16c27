/**
 * Returns whether the service has started this process for an operator. The service then shows the output to people.
 */
export const isStartedByService = (): boolean => process.send !== undefined;
