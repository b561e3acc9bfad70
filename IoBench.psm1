# Windows PowerShell 5.1 cannot load the assemblies. Its commands call the program iobench.
if ($PSEdition -eq 'Desktop') { . "$PSScriptRoot/Private/WindowsPowerShell.ps1"; return }
# One call on the way that succeeds: each further statement costs an import more than a dozen cmdlets. Windows PowerShell reads this file too.
try { Import-Module "$PSScriptRoot/Private/IoBench.PowerShell.psd1" -ErrorAction Stop } catch { & "$PSScriptRoot/Private/IoBench.ImportAdvice.ps1" $_ }
