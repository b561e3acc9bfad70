BeforeAll {
    . (Join-Path $PSScriptRoot 'Common.ps1')
}

Describe 'Export-IoResult' {
    BeforeEach {
        $file = Join-Path $TestDrive "$([guid]::NewGuid()).json"
    }

    It 'writes an array of JSON that comes back as it was' {
        $result = New-TestResult -Label 'Old SAN'
        $result | Export-IoResult $file
        [System.IO.File]::ReadAllText($file).TrimStart()[0] | Should -Be '['
        $back = Import-IoResult $file
        $back.IOPS | Should -Be $result.IOPS
        $back.Label | Should -Be 'Old SAN'
        $back.Timeline.Count | Should -Be 5
        $back.Specification.Targets[0].Pattern.BlockSize | Should -Be 65536
        $back.StartTime | Should -Be $result.StartTime
    }

    It 'writes <Format> that is read again' -ForEach @{ Format = 'Csv' }, @{ Format = 'Sqlio' } {
        New-TestResult -Iops 500 | Export-IoResult $file -Format $Format
        (Import-IoResult $file).IOPS | Should -Be 500
    }

    It 'writes XML of DiskSpd that scripts read by its names and places' {
        # As VMFleet and Process-DiskSpd.ps1 do: properties of the document, percentiles by the place of their bucket.
        $result = Import-IoResult (Join-Path $samples 'diskspd-runs/v22-multi-si-L-D-xml.out')
        $xml = [System.IO.Path]::ChangeExtension($file, '.xml')
        $result | Export-IoResult $xml -Format DiskSpdXml
        (Get-Content $xml -First 1) | Should -Be '<Results>'
        $span = ([xml] (Get-Content $xml)).Results.TimeSpan
        [decimal] $span.TestTimeSeconds | Should -Be $result.DurationSeconds
        ($span.Thread.Target | Measure-Object -Sum ReadCount).Sum | Should -Be $result.Totals.Read.IOCount
        ($span.Thread.Target | Measure-Object -Sum WriteBytes).Sum | Should -Be $result.Totals.Write.ByteCount
        [decimal] $span.Latency.Bucket[99].Item('ReadMilliseconds').InnerText | Should -Be $result.ReadP99Ms
        [decimal] $span.Latency.Item('AverageWriteMilliseconds').InnerText | Should -Be $result.WriteAverageLatencyMs
        [decimal] $span.Iops.ReadIopsStdDev | Should -Be $result.Totals.Read.IopsStdDev
        ($span.Iops.Bucket | Measure-Object -Property Total -Average).Average | Should -Be ($result.Timeline | Measure-Object -Property IOPS -Average).Average
        $span.Thread[3].Target.Iops.Bucket[5].Total | Should -Be $result.Threads[3].Timeline[5].IOPS
        ($span.CpuUtilization.CPU.UsagePercent | Measure-Object -Maximum).Maximum | Should -Be ($result.Processors.UsagePercent | Measure-Object -Maximum).Maximum
    }

    It 'knows the format by the name, and asks for one when it cannot' {
        $csv = [System.IO.Path]::ChangeExtension($file, '.csv')
        New-TestResult | Export-IoResult $csv
        (Import-Csv $csv)[0].IOPS | Should -Be '12172'
        { New-TestResult | Export-IoResult (Join-Path $TestDrive 'results.dat') } | Should -Throw -ErrorId 'IoBench.UnknownFormat,IoBench.PowerShell.ExportIoResultCommand'
    }

    It 'replaces a file as Export-Csv does, and with -NoClobber refuses before anything runs' {
        [System.IO.File]::WriteAllText($file, '[]')
        $ran = [System.Collections.Generic.List[int]]::new()
        { & { $ran.Add(1); New-TestResult } | Export-IoResult $file -NoClobber } | Should -Throw -ErrorId 'IoBench.FileExists,IoBench.PowerShell.ExportIoResultCommand'
        $ran.Count | Should -Be 0
        [System.IO.File]::ReadAllText($file) | Should -Be '[]'
        New-TestResult | Export-IoResult $file
        (Import-IoResult $file).IOPS | Should -Be 12172
        Get-ChildItem $TestDrive -Filter *.tmp | Should -BeNullOrEmpty
    }

    It 'replaces neither a write-protected file nor one with other content' {
        foreach ($force in $false, $true) {
            [System.IO.File]::WriteAllText($file, '{"mine": 1}')
            { New-TestResult | Export-IoResult $file -Force:$force } | Should -Throw -ErrorId 'IoBench.OutputNotRecognized,IoBench.PowerShell.ExportIoResultCommand'
            [System.IO.File]::ReadAllText($file) | Should -Be '{"mine": 1}'
            [System.IO.File]::WriteAllText($file, '[]')
            Set-ItemProperty -LiteralPath $file -Name IsReadOnly -Value $true
            { New-TestResult | Export-IoResult $file -Force:$force } | Should -Throw -ErrorId 'IoBench.WriteProtected,IoBench.PowerShell.ExportIoResultCommand'
            [System.IO.File]::ReadAllText($file) | Should -Be '[]'
            Set-ItemProperty -LiteralPath $file -Name IsReadOnly -Value $false
        }
    }

    It 'takes a name with a number for a file that came to be there meanwhile: no result is lost' {
        $made = & { Set-Content "$file.other" 'precious' -NoNewline; [System.IO.File]::Move("$file.other", $file, $true); New-TestResult } | Export-IoResult $file -NoClobber -PassThru -WarningVariable said -WarningAction SilentlyContinue
        [System.IO.File]::ReadAllText($file) | Should -Be 'precious'
        $made.FullName | Should -Be ($file -replace '\.json$', '-2.json')
        (Import-IoResult -LiteralPath $made.FullName).IOPS | Should -Be 12172
        "$said" | Should -BeLike "*$($made.Name)*"
    }

    It 'adds to <Format> with -Append' -ForEach @{ Format = 'Json' }, @{ Format = 'Csv' } {
        New-TestResult -Iops 100 | Export-IoResult $file -Format $Format -Append
        New-TestResult -Iops 200 | Export-IoResult $file -Format $Format -Append -NoClobber
        (New-TestResult -Iops 300), (New-TestResult -Iops 400) | Export-IoResult $file -Format $Format -Append
        (Import-IoResult $file).IOPS | Should -Be 100, 200, 300, 400
    }

    It 'leaves no file behind where nothing came' {
        { & { throw 'the power went' } | Export-IoResult $file } | Should -Throw 'the power went'
        $file | Should -Not -Exist
    }

    It 'adds behind a line that an editor left without its end' {
        New-TestResult -Iops 100 | Export-IoResult $file -Format Csv
        [System.IO.File]::WriteAllText($file, [System.IO.File]::ReadAllText($file).TrimEnd())
        New-TestResult -Iops 200 | Export-IoResult $file -Format Csv -Append
        (Import-IoResult $file).IOPS | Should -Be 100, 200
    }

    It 'adds to no other format, and not to a table with other columns' {
        { New-TestResult | Export-IoResult $file -Format Sqlio -Append } | Should -Throw -ErrorId 'IoBench.CannotAppend,IoBench.PowerShell.ExportIoResultCommand'
        Set-Content $file 'a,b', '1,2'
        { New-TestResult | Export-IoResult $file -Format Csv -Append } | Should -Throw -ErrorId 'IoBench.CannotAppend,IoBench.PowerShell.ExportIoResultCommand'
        Get-Content $file | Should -Be 'a,b', '1,2'
    }

    It 'gives the file as Get-Item does, with what PowerShell adds to it' {
        foreach ($made in (New-TestResult | Export-IoResult $file -PassThru), (New-TestResult | Export-IoReport "$file.html" -PassThru)) {
            $made.PSPath | Should -Be (Get-Item -LiteralPath $made.FullName).PSPath
            ($made | Format-Table | Out-String) | Should -Match "\b$($made.Length)\b"
        }
    }

    It 'touches nothing with -WhatIf, gives the file with -PassThru, refuses an empty pipeline' {
        New-TestResult | Export-IoResult $file -WhatIf | Should -BeNullOrEmpty
        Test-Path $file | Should -BeFalse
        (New-TestResult | Export-IoResult $file -PassThru).FullName | Should -Be $file
        { @() | Export-IoResult $file -Force } | Should -Throw -ErrorId 'IoBench.NoResults,IoBench.PowerShell.ExportIoResultCommand'
    }

    It 'says that the file to add to has another format, and which to give' {
        $csv = [System.IO.Path]::ChangeExtension($file, '.csv')
        New-TestResult | Export-IoResult $csv
        $problem = Get-ErrorOf { New-TestResult | Export-IoResult $csv -Format Json -Append }
        $problem.FullyQualifiedErrorId | Should -Be 'IoBench.CannotAppend,IoBench.PowerShell.ExportIoResultCommand'
        $problem.Exception.Message | Should -Be "$csv contains IoBench's CSV, but the requested format is JSON. A file can have only one format. Use -Format Csv, or specify another file."
        (Import-IoResult $csv).Count | Should -Be 1
        New-TestResult | Export-IoResult $file -Format Sqlio
        (Get-ErrorOf { New-TestResult | Export-IoResult $file -Format Json -Append }).Exception.Message | Should -Be "$file contains SQLIO's text, but the requested format is JSON. A file can have only one format. Specify another file."
    }
}
