/** How a platform sees the taxes of who sells: a company, a person, or somebody without an RFC there. */
export const PERSONAS = ['moral', 'fisica', 'sinRfc'] as const;
export type Persona = (typeof PERSONAS)[number];

export const PERSONA_LABEL: Readonly<Record<Persona, string>> = {
  moral: 'Persona moral (empresa)',
  fisica: 'Persona física',
  sinRfc: 'Sin RFC registrado en los mercados',
};
