import { BOTH, expect, signIn, test } from './support/test';

for (const { javaScriptEnabled, how, atLength } of BOTH) {
  test.describe(how, atLength, () => {
    test.use({ javaScriptEnabled });

    test('the demo starts, and each of its people comes to their own area', async ({ page }) => {
      await signIn(page, 'cont');
      await expect(page).toHaveURL(/\/cont(\/|$)/);
    });
  });
}

test('the product says how it is', async ({ request }) => {
  const answer = await request.get('/healthcheck');
  expect(answer.status()).toBe(200);
  expect(await answer.json()).toEqual({ web: 'ok', database: 'ok', worker: 'ok' });
});
