/** The routes. They are apart from the rest of this lib, so that threads that only log do not load NestJS. */
export { ObserveModule } from './observe.module';
