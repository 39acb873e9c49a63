inherit "x86-64-v3"
evc_hyb.f32.alignment = 4
