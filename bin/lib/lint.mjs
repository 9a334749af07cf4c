/** Our own rules for oxlint. */
export default {
  meta: { name: 'trastienda' },
  rules: {
    /** An amount is written by `enPesos` alone, so that sentences, letters and refusals tell it as the page does. */
    pesos: {
      create: (context) => ({
        TemplateLiteral({ quasis, expressions }) {
          for (const [at, expression] of expressions.entries())
            if (quasis[at].value.raw.endsWith('$'))
              context.report({ node: expression, message: 'Write an amount with enPesos (core/importe).' });
        },
      }),
    },
  },
};
