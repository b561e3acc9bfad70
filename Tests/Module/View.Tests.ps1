BeforeAll {
    . (Join-Path $PSScriptRoot 'Common.ps1')

    function Get-Line {
        param([Parameter(ValueFromPipeline)] $InputObject, [int] $Width = 120)

        begin { $all = [System.Collections.Generic.List[object]]::new() }
        process { $all.Add($InputObject) }
        end { ($all | Out-String -Width $Width) -split '\r?\n' }
    }
}

Describe 'The table of results' {
    It 'fits 120 columns with every column shown' {
        $result = New-TestResult -Workload 'index-rebuild-write' -Iops 1234567
        $result.IOPattern = '8KB part random 30% write'
        $result.MaxLatencyMs = 12345.678
        $lines = $result | Get-Line -Width 120
        $lines.Length | Should -BeGreaterThan 3
        ($lines | Measure-Object -Property Length -Maximum).Maximum | Should -BeLessOrEqual 120
        "$lines" | Should -Match 'CPU%'
        "$lines" | Should -Match '12,345\.678'
        "$lines" | Should -Match '1,234,567'
    }

    It 'begins with file, size, file system and how it was opened' {
        New-TestResult | Get-Line | Where-Object { $_ -match 'T:\\iobench\.dat' } | Should -Match '20 GB  ext4 on vda  unbuffered, write-through  IoUring'
    }

    It 'shows nothing for what is not known, never 0' {
        $line = [IoBench.Engine.IoTestResult]@{ IOPattern = '8KB random read' } | Get-Line | Where-Object { $_ -match 'random read' }
        $line.Trim() | Should -Be '8KB random read'
    }

    It 'writes figures the same in every culture' {
        $culture = [System.Threading.Thread]::CurrentThread.CurrentCulture
        try {
            [System.Threading.Thread]::CurrentThread.CurrentCulture = 'de-DE'
            "$(New-TestResult | Get-Line)" | Should -Match '12,172 +0\.082'
        } finally {
            [System.Threading.Thread]::CurrentThread.CurrentCulture = $culture
        }
    }

    It 'keeps raw numbers in the objects' {
        (New-TestResult | ConvertTo-Csv) -join "`n" | Should -Match '"12172"'
    }
}

Describe 'The list of a result' {
    It 'has everything' {
        $text = New-TestResult | Format-List | Out-String
        foreach ($name in 'WorkloadRole', 'P999Ms', 'Specification', 'GcCount', 'Warnings') { $text | Should -Match $name }
    }
}

Describe 'The text of a result' {
    It 'has a histogram and the rate over time' {
        $text = New-TestResult | Format-Custom | Out-String -Width 120
        $text | Should -Match 'page-read-qd1: 8KB random read on T:\\iobench\.dat \(20 GB\)'
        $text | Should -Match 'min 0\.060   avg 0\.082   p50 0\.080   p99 0\.140   max 1\.204'
        $text | Should -Match '0\.063 - +0\.125 \| #{32} +60\.0 %'
        $text | Should -Match 'IOPS over time  [▁▂▃▄▅▆▇█]{5}   variation 0\.03'
    }

    It 'says so when there is no histogram' {
        [IoBench.Engine.IoTestResult]@{ IOPattern = '8KB random read' } | Format-Custom | Out-String | Should -Match 'latency \(ms\)   not known'
    }
}

Describe 'Results that went through <Name>' -ForEach @(
    @{ Name = 'CliXml'; Way = { param($result, $file) $result | Export-Clixml $file; Import-Clixml $file } }
    @{ Name = 'a job'; Way = { param($result, $file, $module) $null = $file; Start-Job { Import-Module $using:module; $using:result } | Receive-Job -Wait -AutoRemoveJob } }
    @{ Name = 'a thread job'; Way = { param($result, $file, $module) $null = $file; Start-ThreadJob { Import-Module $using:module; $using:result } | Receive-Job -Wait -AutoRemoveJob } }
    @{ Name = 'IoBench JSON'; Way = { param($result, $file) $result | Export-IoResult $file -Format Json -Force; Import-IoResult $file } }
    @{ Name = 'ConvertTo-Json'; Way = { param($result) $result | ConvertTo-Json -Depth 9 | ConvertFrom-Json }; Untyped = $true }
) {
    BeforeAll {
        $original = New-TestResult -Label 'A'
        $back = & $Way $original (Join-Path $TestDrive 'result.xml') (Join-Path $repository 'IoBench.psd1')
    }

    It 'show the same' -Skip:($null -ne $_['Untyped']) {
        ($back | Format-Table | Out-String -Width 120).Trim().Split("`n")[-1] | Should -Be ($original | Format-Table | Out-String -Width 120).Trim().Split("`n")[-1]
        $back | Format-Custom | Out-String | Should -Be ($original | Format-Custom | Out-String)
    }

    It 'bind to every -InputObject' {
        (ConvertTo-IoRow -InputObject $back).IOPS | Should -Be 12172
        ($back | ConvertTo-IoRow).StartTime | Should -Be $original.StartTime
        $book = Join-Path $TestDrive 'back.xlsx'
        $back | Export-IoReport $book -Force
        Test-Path $book | Should -BeTrue
        $json = Join-Path $TestDrive 'back.json'
        $back | Export-IoResult $json -Force
        $same = Import-IoResult $json
        $same.Histogram.Buckets.Count | Should -Be 3
        $same.Timeline[4].IOPS | Should -Be 12672
        $same.Host['OS'] | Should -Be 'Linux'
        $same.Specification.Targets[0].Pattern.Distribution[0].IOPercent | Should -Be 80
        $same.Specification.Duration.TotalSeconds | Should -Be 30
    }

    It 'bind to <Command> by pipeline and by name' -ForEach @(
        @{ Command = 'Compare-IoResult'; More = @{ Baseline = 'A' } }
        @{ Command = 'ConvertTo-IoRow'; More = @{} }
        @{ Command = 'Export-IoReport'; More = @{ Path = 'bound.html'; Force = $true } }
        @{ Command = 'Export-IoResult'; More = @{ Path = 'bound.json'; Force = $true } }
        @{ Command = 'Find-IoCap'; More = @{}; Refusal = 'IoBench.NoCapRuns' }
        @{ Command = 'Get-IoHistory'; More = @{ AsResult = $true } }
        @{ Command = 'Invoke-IoTest'; More = @{ Backend = 'Null'; Duration = 0.1; WarmUp = 0; WarningAction = 'SilentlyContinue' } }
        @{ Command = 'Measure-IoSaturation'; More = @{}; Refusal = 'IoBench.NoSweep' }
        @{ Command = 'New-IoTestSpecification'; More = @{ Label = 'again' } }
        @{ Command = 'Test-IoResult'; More = @{} }
    ) {
        $other = New-TestResult -Label 'B'
        Push-Location -LiteralPath $TestDrive
        try {
            # A single result may be refused for what it is to the question; not for what it is made of.
            $byPipeline = (Get-ErrorOf { ($Command -eq 'Compare-IoResult' ? @($back, $other) : $back) | & $Command @More })
            $byPipeline.FullyQualifiedErrorId | Should -Be ($_['Refusal'] ? "$Refusal,$Command" : $null)
            $byName = @{ InputObject = ($Command -eq 'Compare-IoResult' ? @($back, $other) : $back) }
            (Get-ErrorOf { & $Command @byName @More }).FullyQualifiedErrorId | Should -Be ($_['Refusal'] ? "$Refusal,$Command" : $null)
        } finally {
            Pop-Location
        }
    }
}

Describe 'Rows of a table' {
    It 'are results again' {
        $csv = Join-Path $TestDrive 'rows.csv'
        New-TestResult | ConvertTo-IoRow | Export-Csv $csv
        $row = Import-Csv $csv | ConvertTo-IoRow
        $row.IOPS | Should -Be 12172
        $row.Buffering | Should -Be 'None'
        $row.P999Ms | Should -Be $null
        $row.StartTime | Should -Be ([datetimeoffset]'2026-03-01T22:00:00+01:00')
    }
}
