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

    It 'tells the format by the name, and asks for one when it cannot' {
        $csv = [System.IO.Path]::ChangeExtension($file, '.csv')
        New-TestResult | Export-IoResult $csv
        (Import-Csv $csv)[0].IOPS | Should -Be '12172'
        { New-TestResult | Export-IoResult (Join-Path $TestDrive 'results.dat') } | Should -Throw -ErrorId 'IoBench.UnknownFormat,Export-IoResult'
    }

    It 'does not replace a file unless forced, and leaves no temporary file' {
        [System.IO.File]::WriteAllText($file, 'precious')
        { New-TestResult | Export-IoResult $file } | Should -Throw -ErrorId 'IoBench.FileExists,Export-IoResult'
        [System.IO.File]::ReadAllText($file) | Should -Be 'precious'
        New-TestResult | Export-IoResult $file -Force
        (Import-IoResult $file).IOPS | Should -Be 12172
        Get-ChildItem $TestDrive -Filter *.tmp | Should -BeNullOrEmpty
    }

    It 'touches nothing with -WhatIf, gives the file with -PassThru, refuses an empty pipeline' {
        New-TestResult | Export-IoResult $file -WhatIf | Should -BeNullOrEmpty
        Test-Path $file | Should -BeFalse
        (New-TestResult | Export-IoResult $file -PassThru).FullName | Should -Be $file
        { @() | Export-IoResult $file -Force } | Should -Throw -ErrorId 'IoBench.NoResults,Export-IoResult'
    }
}
