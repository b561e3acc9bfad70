# Tables go through Export-Csv in the culture of the session that writes them.
BeforeAll {
    . (Join-Path $PSScriptRoot 'Common.ps1')
}

Describe 'In <_>' -ForEach 'de-DE', 'fr-FR', 'tr-TR', 'fa-IR', 'en-US', 'sv-SE' {
    BeforeAll {
        $before = [System.Threading.Thread]::CurrentThread.CurrentCulture
        [System.Threading.Thread]::CurrentThread.CurrentCulture = [cultureinfo]::GetCultureInfo($_)
        $original = New-TestResult -Iops 12172.5 -Label 'Eski SAN, iI'
        $original.StartTime = [datetimeoffset]'2026-03-01T22:04:05+01:00'
        $original.MaxLatencyMs = 1234.5678
        $original.IopsStdDev = 0.00012
    }

    AfterAll {
        [System.Threading.Thread]::CurrentThread.CurrentCulture = $before
    }

    It 'a row through Export-Csv and Import-Csv is the result again' {
        $file = Join-Path $TestDrive "$_.csv"
        $original | ConvertTo-IoRow | Export-Csv $file
        $back = Import-Csv $file | ConvertTo-IoRow
        foreach ($name in 'IOPS', 'BandwidthMBps', 'AverageLatencyMs', 'MaxLatencyMs', 'IopsStdDev', 'FileSizeMB', 'ThreadCount', 'IOCount', 'WritePercent', 'Operation', 'Buffering', 'Label', 'Workload', 'P999Ms') {
            $back.$name | Should -Be $original.$name -Because $name
        }
        $back.StartTime | Should -Be $original.StartTime
    }

    It 'a table that Export-Csv made is read by Import-IoResult' {
        $original.StartTime = [datetimeoffset]'2026-03-01T22:04:05+01:00'
        foreach ($way in @{}, @{ UseCulture = $true }) {
            $file = Join-Path $TestDrive "rows-$([guid]::NewGuid()).csv"
            $original | ConvertTo-IoRow | Export-Csv $file @way
            $back = Import-IoResult $file -WarningVariable said
            $said | Should -BeNullOrEmpty
            foreach ($name in 'IOPS', 'BandwidthMBps', 'AverageLatencyMs', 'MaxLatencyMs', 'IopsStdDev', 'FileSizeMB', 'StartTime') {
                $back.$name | Should -Be $original.$name -Because $name
            }
        }
    }

    It 'a row keeps its time as a time' {
        $row = $original | ConvertTo-IoRow
        $row.StartTime | Should -BeOfType datetimeoffset
        $row.StartTime | Should -Be $original.StartTime
        "$($row | ConvertTo-Csv)" | Should -Match '"2026-03-01T22:04:05\.0000000\+01:00"'
    }

    It 'IoBench''s own CSV and JSON are the same as everywhere' {
        foreach ($format in 'Csv', 'Json') {
            $file = Join-Path $TestDrive "own-$_.$format"
            $original | Export-IoResult $file -Format $format
            $back = Import-IoResult $file
            $back.IOPS | Should -Be 12172.5
            $back.StartTime | Should -Be $original.StartTime
        }
        # Of IoBench's own CSV PowerShell makes rows that bind as well.
        $rows = Import-Csv (Join-Path $TestDrive "own-$_.Csv")
        ($rows | ConvertTo-IoRow).MaxLatencyMs | Should -Be 1234.5678
        ($rows | ConvertTo-IoRow).StartTime | Should -Be $original.StartTime
    }

    It 'the views write figures the same' {
        $original | Format-Table | Out-String -Width 120 | Should -Match ' 12,172\.5? +0\.082|12,17[23] +0\.082'
        $original | Format-List | Out-String | Should -Match '(?m)^MaxLatencyMs +: 1,235\s*$'
        $original | Format-List | Out-String | Should -Match '(?m)^StartTime +: 2026-03-01 22:04:05 \+01:00\s*$'
    }

    It 'a cell with decimals is one number to Invoke-IoTest' {
        $file = Join-Path $TestDrive "in-$_.csv"
        [pscustomobject]@{ Path = Join-Path $TestDrive "t-$([guid]::NewGuid()).dat"; TargetIops = 50.5; Duration = 0.5; Label = 'SAN, old' } | Export-Csv $file
        $result = Import-Csv $file | Invoke-IoTest -WarmUp 0 -FileSize 1MB -Backend Null -Buffering Both -Confirm:$false -WarningAction SilentlyContinue
        $result.TargetIops | Should -Be 50.5
        $result.Specification.Duration.TotalSeconds | Should -Be 0.5
        $result.Label | Should -Be 'SAN, old'
    }

    It 'a time that might be another day is left out, and that is said' {
        $file = Join-Path $TestDrive "doubt-$_.csv"
        Set-Content $file 'IOPS,Label,StartTime', '5,x,01/03/2026 22:04:05 +01:00'
        $back = Import-IoResult $file -WarningVariable said -WarningAction SilentlyContinue
        $back.StartTime | Should -BeNullOrEmpty
        $said | Should -Match 'IoBench ignores 1 time'
    }

    It 'reads no other number than was written' {
        $row = $original | ConvertTo-IoRow
        $row.IOPS = 'many'
        { $row | ConvertTo-IoRow -ErrorAction Stop } | Should -Throw
    }
}
