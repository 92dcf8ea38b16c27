/** Exports the routes separately from the rest of this lib. So threads that only log do not load NestJS. */
export { ObserveModule } from './observe.module';
