import { expect, test } from 'vitest';
import { isInside } from './safe-path.ts';

test('a folder holds itself and all below it, whatever their names begin with', () => {
  const inside = ['/home/shop', '/home/shop/', '/home/shop/src/cart.ts', '/home/shop/..cache/a'];
  expect(inside.filter((path) => !isInside('/home/shop', path))).toEqual([]);
});

test('what is above or beside it is outside, even if the name begins alike', () => {
  const outside = ['/home', '/', '/home/shop-two', '/home/shop/../bakery'];
  expect(outside.filter((path) => isInside('/home/shop', path))).toEqual([]);
});
