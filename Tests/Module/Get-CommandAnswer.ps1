# What commands answer, errors and questions included: the same from a checkout and from a package. Each line is one call.
param([string] $Module, [string] $Samples, [string] $Folder)

$PSStyle.OutputRendering = 'PlainText'
Import-Module $Module -ErrorAction Stop
$quick = @{ FileSize = '4MB'; Duration = 0.2; WarmUp = 0; WarningAction = 'Ignore'; InformationAction = 'Ignore' }

function Get-Answer {
    param([scriptblock] $Script)

    $text = {
        process { $_ -is [System.Management.Automation.ErrorRecord] ? "$($_.FullyQualifiedErrorId) | $($_.Exception.Message) | $($_.InvocationInfo.Line.Trim())" : $_ }
    }
    try { & $Script 2>&1 | & $text } catch { 'thrown: ' + ($_ | & $text) }
}

$results = @(Import-IoResult "$Samples/documents" -WarningAction Ignore)
Get-Answer { $results.Count }
Get-Answer { $results | Export-IoReport "$Folder/report.html" -Force; Test-Path "$Folder/report.html" }
Get-Answer { $results | Export-IoResult "$Folder/results.json" -Format Json; @(Import-IoResult "$Folder/results.json" -WarningAction Ignore).Count }
Get-Answer { New-IoTestSpecification x.dat -BlockSize 64KB -Distribution 90/10 -BaseOffset 1MB | ForEach-Object { $_.Targets[0].BaseOffset; $_.Distribution.Count; $_.BlockSize } }
Get-Answer { New-IoTestSpecification x.dat -Distribution nonsense }
Get-Answer { [pscustomobject]@{ Path = "$Folder/a.dat"; FileSize = '4MB'; BlockSize = '64KB' } | Invoke-IoTest -Duration 0.2 -WarmUp 0 -WhatIf }
Get-Answer { "$Folder/a.dat", "$Folder/b.dat" | Invoke-IoTest -FileSize 4MB -BlockSize none -WhatIf }
Get-Answer { Invoke-IoTest "$Folder/a.dat" -FileSize 4MB -BlockSize none -WhatIf }
Get-Answer { Invoke-IoTest "$Folder/a.dat" -Resume }
Get-Answer { Invoke-IoTest "$Folder/a.dat" @quick -OutputPath "$Folder/out.json" | ForEach-Object Status }
Get-Answer { Invoke-IoTest "$Folder/a.dat" @quick -OutputPath "$Folder/out.json" -Resume | ForEach-Object Status }
Get-Answer { Remove-IoTestFile "$Folder/a.dat" -Confirm:$false; Test-Path "$Folder/a.dat" }
Get-Answer { Remove-IoTestFile "$Folder/none.dat" }
Get-Answer { New-IoTestFile "$Folder/new.dat" -FileSize 4MB -WhatIf }
Get-Answer { Measure-IoLimit "$Folder/new.dat" -MaxLatencyMs 5 -FileSize 4MB -WhatIf }
Get-Answer { Get-IoHistory $Folder | ForEach-Object Metric }
Get-Answer { $results | Compare-IoResult -By Nothing }
Get-Answer { $results[0..1] | Compare-IoResult -Baseline $results[0] -WarningAction Ignore | Out-String -Width 200 }
Get-Answer { $results | Find-IoCap }
Get-Answer { $results | Measure-IoSaturation }
Get-Answer { $results | Test-IoResult | Out-String -Width 200 }
Get-Answer { $results[0] | ConvertTo-IoRow | ConvertTo-Json }
Get-Answer { ConvertFrom-IoCommandLine 'diskspd -b8K -d10 -o4 -t2 -r t.dat' | ForEach-Object BlockSize }
Get-Answer { Import-SqlioResult "$Samples/documents/none.txt" }
Get-Answer { Get-Command -Module IoBench -Syntax }
