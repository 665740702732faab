package onnxruntime

type Carrier struct{ Module, File, SHA256 string }

func Carriers() map[string]Carrier {
	all := map[string]Carrier{}
	for platform, c := range carriers {
		all[platform] = Carrier{c.module, c.file, c.sha256}
	}
	return all
}
