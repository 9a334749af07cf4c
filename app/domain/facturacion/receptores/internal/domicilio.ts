/** Columns of a receiver's person and address: our record, the PAC's client and the form call each by the same name. */
export const DOMICILIO = [
  'nombre',
  'apellidos',
  'calle',
  'numeroExterior',
  'numeroInterior',
  'colonia',
  'ciudad',
  'delegacion',
  'estado',
] as const;
