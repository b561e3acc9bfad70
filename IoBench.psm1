# One call on the way that succeeds: each further statement costs an import more than a dozen cmdlets. Windows PowerShell reads this file too.
# There the import fails, because the assemblies require PowerShell 7.4, and the commands of 5.1 call the program iobench.
try { Import-Module "$PSScriptRoot/Private/IoBench.PowerShell.psd1" -ErrorAction Stop } catch { if ($PSEdition -eq 'Desktop') { . "$PSScriptRoot/Private/IoBench.WindowsPowerShell.ps1" } else { & "$PSScriptRoot/Private/IoBench.ImportAdvice.ps1" $_ } }
