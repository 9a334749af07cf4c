/** What is asked before a person's data change, in the profile and in the users screen. */
export const GUARDAR = {
  titulo: 'Guardar información',
  texto: '¿Esta seguro que desea guardar la información?',
} as const;
export const CAMBIAR = {
  titulo: 'Cambiar contraseña',
  texto: '¿Esta seguro que desea cambiar la contraseña?',
} as const;
export const SALIR = { titulo: 'Cerrar Sessión', texto: '¿Estas seguro de cerrar la sesión?' } as const;
export const NUEVOS_CODIGOS = {
  titulo: 'Códigos nuevos',
  texto: '¿Hacer códigos de recuperación nuevos? Los de antes dejan de servir.',
} as const;
export const QUITAR_SEGUNDO_FACTOR = {
  titulo: 'Quitar la verificación',
  texto: '¿Quitar la verificación en dos pasos? Tu contraseña volverá a ser lo único que se pide.',
} as const;
