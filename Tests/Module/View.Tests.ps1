BeforeDiscovery {
    $format = [xml](Get-Content -Raw (Join-Path $PSScriptRoot '../../IoBench.Format.ps1xml'))
    $tables = $format.SelectNodes('//View[TableControl]/Name').InnerText
    $views = $format.SelectNodes('//View[TableControl or ListControl]/Name').InnerText
    $answers = $format.SelectNodes('//View[ListControl]').ForEach({ @{ View = $_.Name; Type = $_.ViewSelectedBy.TypeName } }).Where({ $_.Type -ne 'IoBench.Engine.IoTestResult' })
}

BeforeAll {
    . (Join-Path $PSScriptRoot 'Common.ps1')
    $format = [xml](Get-Content -Raw (Join-Path $repository 'IoBench.Format.ps1xml'))
    $tables = $format.SelectNodes('//View[TableControl]/Name').InnerText
    $views = $format.SelectNodes('//View[TableControl or ListControl]/Name').InnerText

    function Get-Column {
        <# Label and width of each column of a table. #>
        param([string] $View)

        foreach ($column in $format.SelectNodes("//View[Name='$View']/TableControl/TableHeaders/TableColumnHeader")) {
            [pscustomobject]@{ Label = $column.SelectSingleNode('Label').InnerText; Width = [int] $column.SelectSingleNode('Width')?.InnerText }
        }
    }

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
        "$lines" | Should -Match 'CpuPercent'
        "$lines" | Should -Match '12,346'
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

Describe 'At 80 columns, which is what the log of a job has' {
    It 'the table of results has test, load, rates and latency' {
        $lines = New-TestResult -Workload 'index-rebuild-write' -Iops 1234567 | Get-Line -Width 80
        ($lines | Measure-Object -Property Length -Maximum).Maximum | Should -BeLessOrEqual 80
        "$lines" | Should -Match 'index-rebuild-write +1 +1 +9,645\.1 +1,234,567 +0\.082 +0\.140'
    }

    It 'a comparison begins with its verdict and figures' {
        $runs = foreach ($repeat in 1..3) { New-TestResult -Label 'the old SAN' -Iops 1000; New-TestResult -Label 'the new SAN' -Iops 2000 }
        $text = $runs | Compare-IoResult -WarningAction SilentlyContinue | Out-String -Width 80
        $text | Should -Match '(?m)^better +page-read-qd1 +1,000 IOPS +2,000 IOPS +\+100\.0%'
        $text | Should -Match 'the new SAN compared with the old SAN'
    }

    It 'a verdict is whole, and rounds and rule sets are told apart' {
        $rounds = foreach ($round in 1..3) { $result = New-TestResult -Workload 'log-commit'; $result.Repeat = $round; $result }
        $text = $rounds | Test-IoResult -RuleSet flash, ms-css | Out-String -Width 80
        $text | Should -Match 'Rule set flash\r?\n'
        $text | Should -Match 'Rule set ms-css\r?\n'
        foreach ($round in 1..3) { $text | Should -Match "log-commit #$round " }
        [IoBench.Analysis.VerdictOutcome].GetEnumNames() | ForEach-Object Length | Should -BeLessOrEqual (Get-Column 'IoBench.Verdict').Where({ $_.Label -eq 'Outcome' }).Width
    }

    It 'a verdict begins with its outcome, what was measured and the rule' {
        New-TestResult | Test-IoResult | Out-String -Width 80 | Should -Match '(?m)^pass +page-read-qd1 +0\.082 ms average latency at most 1 ms'
    }

    It 'a sweep begins with its knee' {
        $sweep = foreach ($load in 1, 2, 4, 8, 16, 32) {
            $result = New-TestResult -Iops ([math]::Min(4, $load) * 1000)
            $result.OutstandingIO = $result.TotalOutstanding = $load
            $result.AverageLatencyMs = $load / $result.IOPS * 1000
            $result
        }
        $sweep | Measure-IoSaturation | Out-String -Width 80 | Should -Match '(?m)^ +4 +4,000 +31\.[23] +1\.000 page-read-qd1'
    }

    It 'percentiles are told apart' {
        $percentiles = foreach ($percent in 99, 99.9, 99.99, 99.999) { [IoBench.Engine.IoPercentile]@{ Percent = $percent; TotalMs = $percent / 100 } }
        "$($percentiles | Get-Line -Width 80)" | Should -Match ' 99 .* 99\.9 .* 99\.99 .* 99\.999 '
    }
}

Describe 'Columns' {
    It 'of <_> are as wide as their headers' -ForEach $tables {
        foreach ($column in (Get-Column $_).Where({ $_.Width })) { $column.Width | Should -BeGreaterOrEqual $column.Label.Length -Because $column.Label }
    }

    It 'of <_> are properties of the objects' -ForEach $views {
        $types = $format.SelectNodes("//View[Name='$_']/ViewSelectedBy/TypeName").InnerText
        foreach ($type in $types) {
            $names = @(($type -replace '#.*' -as [type]).GetProperties().Name) + @($type, ($type -replace '#.*') | Get-TypeData | ForEach-Object { $_.Members.Keys })
            $labels = (Get-Column $_).Label + $format.SelectNodes("//View[Name='$_']/ListControl//ListItem").ForEach({ $_.SelectSingleNode('Label|PropertyName').InnerText })
            $labels.Where({ $_ -and $_ -notin $names }) | Should -BeNullOrEmpty
        }
    }

    It 'of <_> end at 79 and 119 characters, so that none is cut in a console of 80 or 120' -ForEach $tables {
        $end = -1
        foreach ($column in (Get-Column $_).Where({ $_.Width })) {
            $begin, $end = ($end + 2), ($end + 1 + $column.Width)
            foreach ($edge in 79, 119) { ($end -le $edge -or $begin -gt $edge) | Should -BeTrue -Because "$($column.Label) is at $begin to $end" }
        }
    }

    It 'can be selected and filtered by their labels' {
        $verdict = New-TestResult | Test-IoResult | Select-Object -First 1 Test, Outcome, Unit, Details
        $verdict.Test, "$($verdict.Outcome)", $verdict.Unit, $verdict.Details | Should -Be 'page-read-qd1', 'Pass', 'ms', 'average latency at most 1 ms'
        $worse = @(Get-Night | Get-IoHistory | Where-Object Trend -eq Worse)
        $worse.ComputerName | Select-Object -Unique | Should -Be 'SQL1'
        $worse[0].Since | Should -Be $worse[0].First
        $worse[0].Before | Should -BeGreaterThan $worse[0].After
        $worse[0].Unit | Should -Be 'IOPS'
        $result = New-TestResult
        $result.Test, $result.Thr, $result.QD, $result.MBps, $result.AvgMs, $result.Pct99Ms, $result.MaxMs | Should -Be 'page-read-qd1', 1, 1, $result.BandwidthMBps, 0.082, 0.14, 1.204
        $result.ResponseAverageMs, $result.ResponseP99Ms = 7, 9
        $result.AvgMs, $result.Pct99Ms | Should -Be 7, 9
    }

    It 'with enums are texts in ConvertTo-Json' {
        $verdict = New-TestResult | Test-IoResult | Select-Object -First 1
        $text = $verdict | ConvertTo-Json -Depth 1 -WarningAction SilentlyContinue
        $text | Should -Match '"Outcome": "Pass"'
        foreach ($type in (Get-Command -Module IoBench).OutputType.Type.Where({ $_.FullName -like 'IoBench.*' }) + $views.ForEach({ $format.SelectNodes("//View[Name='$_']//TypeName").InnerText -replace '#.*' -as [type] })) {
            foreach ($property in $type.GetProperties()) {
                $enum = [nullable]::GetUnderlyingType($property.PropertyType) ?? $property.PropertyType
                if ($enum.IsEnum) { [enum]::GetUnderlyingType($enum) | Should -Be ([long]) -Because "ConvertTo-Json writes $type.$($property.Name) as a number otherwise" }
            }
        }
    }

    It 'hold 1,024 threads and 4,096 outstanding' {
        $result = New-TestResult
        $result.ThreadCount, $result.OutstandingIO = 1024, 4096
        $result | Out-String -Width 80 | Should -Match ' 1024 4096 '
        foreach ($table in $tables) {
            (Get-Column $table).Where({ $_.Label -in 'Thr', 'QD' }).ForEach({ $_.Width | Should -BeGreaterOrEqual 4 -Because $table })
        }
    }

    It 'show each role alone and together, at 80 columns too' {
        $role = [IoBench.Analysis.RoleInterference]@{
            Role = 'tempdb'; MixLoadPercent = 100; Summary = 'x'; LossPercent = 100; AloneIops = 1234567; TogetherIops = 1234567
            AloneLatencyMs = 1234.567; TogetherLatencyMs = 23.456; AloneP99Ms = 99.999; TogetherP99Ms = 123.456
        }
        $lines = $role | Get-Line -Width 79
        $lines.Where({ $_ -match 'AloneIops' })[0] | Should -Match '^Role +Change +AloneIops TogetherIops +AloneMs TogetherMs$'
        $lines.Where({ $_ -match 'tempdb' })[0] | Should -Match '^tempdb 100 % +-100\.0% +1,234,567 +1,234,567 +1,235 +23\.456$'
        "$($role | Get-Line -Width 119)" | Should -Match 'AloneP99Ms TogetherP99Ms'
    }

    It 'hold a change of many times' {
        [IoBench.PowerShell.ViewFormatter]::FormatPercent(12345.67) | Should -Be '124 times'
        [IoBench.PowerShell.ViewFormatter]::FormatPercent(-99.96) | Should -Be '-100.0%'
    }

    It 'show names that one must type in full' {
        $workloads = Get-IoWorkload
        $text = $workloads | Out-String -Width 80
        foreach ($name in $workloads.Name) { $text | Should -Match "(?m)^$name " }
        $sets = Get-IoRuleSet
        $text = $sets | Out-String -Width 80
        foreach ($name in $sets.Name) { $text | Should -Match "(?m)^$name " }
        [IoBench.Analysis.HistoryTrend]::MetricNames.ForEach({ $_.Length }) | Should -BeLessOrEqual (Get-Column 'IoBench.Trend').Where({ $_.Label -eq 'Metric' }).Width
        $text = (Get-IoRuleSet).Rules.Where({ $_.Workload }) | Out-String -Width 80
        foreach ($name in (Get-IoRuleSet).Rules.Workload.Where({ $_ })) { $text | Should -Match "(?m)^$name " }
    }
}

Describe 'The header of a table of results' {
    It 'is one line that names a path once, and has the details that fit' {
        $path = '/tmp/data/iobench.dat; /tmp/data/iobench.dat; /tmp/log/another/iobench.dat'
        $lines = (New-TestResult -Path $path) | Get-Line -Width 80
        $lines | Should -Contain '   SQL1: /tmp/data/iobench.dat; /tmp/log/another/iobench.dat  20 GB  IoUring'
        $lines.Where({ $_.Trim() }).Count | Should -Be 4
    }

    It 'shortens a long path in the middle' {
        $line = (New-TestResult -Path "T:\$('x' * 100)\iobench.dat" | Get-Line -Width 80).Where({ $_ -match 'SQL1' })[0]
        $line | Should -Match '^   SQL1: T:\\x+…x+\\iobench\.dat$'
        $line.Length | Should -BeLessOrEqual 79
    }
}

Describe 'The list of an answer' {
    It 'has at most six lines: <View>' -ForEach $answers {
        $format.SelectNodes("//View[Name='$View']/ListControl//ListItem").Count | Should -BeLessOrEqual 6
    }

    It 'exists for each type of answer' {
        $lists = $answers.Type
        $types = (Get-Command -Module IoBench).OutputType.Type.Where({ $_.FullName -like 'IoBench.Analysis.*' -and $_ -ne [IoBench.Analysis.IoRuleSet] })
        $types.FullName.Where({ $_ -notin $format.SelectNodes('//View[ListControl]//TypeName').InnerText }) | Should -BeNullOrEmpty
    }
}

Describe 'In a terminal of <_> columns' -ForEach 80, 120 {
    It 'every table fits, and at most three lines frame a row' -Skip:(-not (Get-Command script -CommandType Application -ErrorAction Ignore) -or -not $IsLinux) -Tag 'needs the program script' {
        $session = Join-Path $TestDrive 'session.ps1'
        Set-Content $session @"
`$PSStyle.OutputRendering = 'PlainText'; `$WarningPreference = 'Ignore'; `$ProgressPreference = 'SilentlyContinue'
. '$PSScriptRoot/Common.ps1'
`$results = foreach (`$repeat in 1..3) { foreach (`$label in 'before', 'after') { New-TestResult -Label `$label -Iops (1000000 + `$repeat) } }
`$sweep = foreach (`$load in 1, 2, 4, 8, 16, 32) { `$run = New-TestResult -Iops ([math]::Min(4, `$load) * 1000); `$run.OutstandingIO = `$run.TotalOutstanding = `$load; `$run.AverageLatencyMs = `$load / `$run.IOPS * 1000; `$run }
foreach (`$objects in (New-TestResult), (`$results | Test-IoResult 6>`$null), (`$results | Compare-IoResult), (`$results | Compare-IoResult -Repeat), (Get-Night | Get-IoHistory), (`$sweep | Measure-IoSaturation), (Get-IoWorkload), (Get-IoRuleSet), (Get-IoRuleSet flash).Rules, (New-IoTestSpecification x.dat -Workload log-commit)) {
    `$objects | Format-Table
    '====='
}
"@
        $screen = (script -qec "stty cols $_; '$((Get-Process -Id $PID).Path)' -NoProfile -File '$session'" /dev/null) -replace '\e(\[[0-9;?]*[a-zA-Z]|[=>])' -replace '\r'
        ($screen | Measure-Object -Property Length -Maximum).Maximum | Should -BeLessThan $_ -Because "$screen"
        $parts = ($screen -join "`n") -split '=====' | Where-Object { $_.Trim() }
        $parts.Count | Should -Be 10 -Because "$screen"
        foreach ($part in $parts) {
            $lines = @($part -split "`n" | Where-Object { $_.Trim() })
            $rule = [array]::FindIndex($lines, [System.Predicate[string]] { $args[0] -match '^[- ]+$' })
            # The header is one line, and each column of it has its dashes.
            ($lines[$rule - 1].Trim() -split ' +').Count | Should -Be ($lines[$rule].Trim() -split ' +').Count -Because $part
            $rule | Should -BeLessThan 3 -Because $part
        }
    }
}

Describe 'A sweep without a knee' {
    It 'says so, and what to do' {
        $sweep = foreach ($load in 1, 2, 4) {
            $result = New-TestResult -Iops ($load * 1000)
            $result.OutstandingIO = $result.TotalOutstanding = $load
            $result.AverageLatencyMs = 1
            $result
        }
        $answer = $sweep | Measure-IoSaturation -WarningVariable warnings -WarningAction SilentlyContinue
        "$warnings" | Should -Match 'Test higher loads'
        $warnings[0].Message | Should -Be $answer.Summary
        $answer | Out-String -Width 80 | Should -Match '(?m)^ none '
    }
}

Describe 'The result of a drill' {
    It 'begins with the answer, in rounded figures' {
        $drill = [IoBench.Analysis.DrillResult]@{
            Path = 'T:\iobench.dat'; StartTime = [datetimeoffset]'2026-03-01T22:00:00+01:00'; DurationSeconds = 3.00123; TargetIops = 200; WriteCount = 1234
            P50Ms = 0.123456789; LongestIO = [IoBench.Analysis.SlowestDrillIO]::new(0.625330903, 0.015595951, 'Write', 81920, $true)
        }
        $lines = ($drill | Get-Line).Where({ $_ })
        $lines[0] | Should -Match '^Summary +: No outage of 0\.[0-9]+ s or longer in 3 s; the longest I/O took 0\.016 s'
        $lines | Should -Contain 'WorstSeconds : 0.016'
        $lines | Should -Contain 'LongestIO    : 0.016 s: a write at offset 81,920, started at 0.63 s'
        "$drill" | Should -Be $drill.Summary
    }
}

Describe 'Parts of a result' {
    It 'are shown in rounded figures' {
        $point = [IoBench.Engine.IoTimelinePoint]@{ Seconds = 1.000012; IOPS = 12172.3; MBps = 95.096; AverageLatencyMs = 0.07378611508601; MaxLatencyMs = 1.2 }
        $point | Out-String -Width 80 | Should -Match '(?m)^ +1 +12,172 +95\.1 +0\.074 +1\.200'
        "$point" | Should -Be '1 s: 12,172 IOPS, 0.074 ms'
    }

    It 'have no type names in the list of a result' {
        $result = New-TestResult
        $result.Targets[0].Total.IOPS = 12172
        $text = $result | Format-List | Out-String -Width 200
        $text | Should -Not -Match 'IoBench\.Engine\.Io(Target|Thread|Histogram|Timeline)'
        $text | Should -Match 'Targets +: T:\\iobench\.dat: 12,172 IOPS'
        $text | Should -Match 'Histogram +: measured, 3 bands'
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

Describe 'The heat map of a result' {
    BeforeAll {
        # Each seven seconds nothing ends for two; after that 32 I/Os end that took two seconds. Buckets 100 and 206 hold 0.2 ms and 1.9 s.
        $stalling = New-TestResult -Workload 'log-commit'
        $stalling.Timeline.Clear()
        foreach ($second in 1..28) {
            $point = [IoBench.Engine.IoTimelinePoint]@{ Seconds = $second; IOPS = 0 }
            if ($second % 7 -in 1..5) {
                $point.IOPS = 400
                $point.Latencies = [IoBench.Engine.IoIntervalLatency]@{ FromSeconds = $second - 1; Reads = [long[]]($second % 7 -eq 1 -and $second -gt 1 ? (100, 400, 206, 32) : (100, 400)) }
            }
            $stalling.Timeline.Add($point)
        }
        $shown = $stalling | Format-Custom -View HeatMap | Out-String -Width 140
    }

    It 'shows a stall as a gap with a tower above its end, and says it' {
        $lines = $shown -split '\r?\n'
        $lines | Should -Contain 'log-commit: periodic stalls. Every 7 s, almost no I/O completes for about 2 s.'
        # Four stretches of work in the row of 0.2 ms, three towers above the stalls between them.
        ($lines.Where({ $_ -match '0\.2.*\|.*@' })[0] -split '\|')[1].Trim() -split ' +' | Should -HaveCount 4
        ($lines.Where({ $_ -match '1,000 - 2,000' })[0] -split '\|')[1].Trim() -split ' +' | Should -HaveCount 3
    }

    It 'is the same of a result that was kept' {
        $file = Join-Path $TestDrive 'stalling.json'
        $stalling | Export-IoResult $file
        Import-IoResult $file | Format-Custom -View HeatMap | Out-String -Width 140 | Should -Be $shown
        $stalling | Export-Clixml "$file.xml" -Depth 9
        Import-Clixml "$file.xml" | Format-Custom -View HeatMap | Out-String -Width 140 | Should -Be $shown
    }

    It 'says what it needs where there is none' {
        New-TestResult | Format-Custom -View HeatMap | Out-String -Width 140 | Should -Match 'A heat map requires an IoBench test with at least 5 intervals'
    }

    It 'is in the report of the result' {
        $page = Join-Path $TestDrive 'stalling.html'
        $stalling | Export-IoReport $page
        Get-Content -LiteralPath $page -Raw | Should -Match '(?s)id="HeatMap".*Every 7 s, almost no I/O completes for about 2 s'
    }
}

Describe 'Results that went through <Name>' -ForEach @(
    @{ Name = 'CliXml'; Way = { param($result, $file) $result | Export-Clixml $file; Import-Clixml $file } }
    @{ Name = 'a job'; Way = { param($result, $file, $module) $null = $file; Start-Job { Import-Module $using:module; $using:result } | Receive-Job -Wait -AutoRemoveJob } }
    @{ Name = 'a thread job'; Way = { param($result, $file, $module) $null = $file; Start-ThreadJob { Import-Module $using:module; $using:result } | Receive-Job -Wait -AutoRemoveJob } }
    @{ Name = 'IoBench JSON'; HasOwnView = $true; Way = { param($result, $file) $result | Export-IoResult $file -Format Json -Force; Import-IoResult $file } }
    @{ Name = 'ConvertTo-Json'; Way = { param($result) $result | ConvertTo-Json -Depth 9 | ConvertFrom-Json }; Untyped = $true }
) {
    BeforeAll {
        $original = New-TestResult -Label 'A'
        $back = & $Way $original (Join-Path $TestDrive 'result.xml') (Join-Path $repository 'IoBench.psd1')
    }

    if (-not $_['Untyped']) {
        It 'show the same' {
            # Imported results have a table of their own, with a column for the file.
            $view = @{ View = 'IoBench.Result' }
            if (-not $HasOwnView) { $view.Clear() }
            ($back | Format-Table @view | Out-String -Width 120).Trim().Split("`n")[-1] | Should -Be ($original | Format-Table | Out-String -Width 120).Trim().Split("`n")[-1]
            $back | Format-Custom | Out-String | Should -Be ($original | Format-Custom | Out-String)
        }
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
            $byPipeline.FullyQualifiedErrorId | Should -Be ($_['Refusal'] ? "$Refusal,$(Get-ErrorSource $Command)" : $null)
            $byName = @{ InputObject = ($Command -eq 'Compare-IoResult' ? @($back, $other) : $back) }
            (Get-ErrorOf { & $Command @byName @More }).FullyQualifiedErrorId | Should -Be ($_['Refusal'] ? "$Refusal,$(Get-ErrorSource $Command)" : $null)
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
