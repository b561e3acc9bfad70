BeforeAll {
    . (Join-Path $PSScriptRoot 'Common.ps1')
}

Describe 'ConvertTo-IoRow' {
    It 'gives the same flat columns for every result' {
        $rows = (New-TestResult), [IoBench.Engine.IoTestResult]@{ IOPattern = '8KB random read' } | ConvertTo-IoRow
        $rows[0].PSObject.Properties.Name | Should -Be $rows[1].PSObject.Properties.Name
        foreach ($property in $rows[0].PSObject.Properties) {
            $property.Value -is [System.Collections.IEnumerable] -and $property.Value -isnot [string] | Should -BeFalse -Because $property.Name
        }
    }

    It 'has every flat name of a result' {
        $row = New-TestResult | ConvertTo-IoRow
        foreach ($name in 'Source', 'Status', 'Label', 'Workload', 'Path', 'FileSizeMB', 'ThreadCount', 'OutstandingIO', 'BlockSizeKB', 'Operation', 'IOPattern', 'BandwidthMBps', 'IOPS', 'AverageLatencyMs', 'P99Ms', 'P999Ms', 'CpuPercent', 'Backend', 'Warnings') {
            $row.PSObject.Properties.Name | Should -Contain $name
        }
    }

    It 'keeps numbers as numbers, names as text, nothing as null' {
        $row = New-TestResult | ConvertTo-IoRow
        $row.IOPS | Should -BeOfType double
        $row.Operation | Should -BeOfType string
        $row.Operation | Should -Be 'Read'
        $row.Warnings | Should -Be 'a quick look'
        $row.P999Ms | Should -Be $null
        [System.DBNull]::Value.Equals($row.P999Ms) | Should -BeFalse
    }

    It 'guards text that a spreadsheet program would take for a formula, if asked' {
        $result = New-TestResult
        foreach ($label in '=1+1', '@SUM(1)', '+1', '-1', "'x", "`t=1") {
            $result.Label = $label
            ($result | ConvertTo-IoRow).Label | Should -Be $label
            ($result | ConvertTo-IoRow -ForSpreadsheet).Label | Should -Be "'$label"
        }
        $result.Label = 'plain = text'
        $row = $result | ConvertTo-IoRow -ForSpreadsheet
        $row.Label | Should -Be 'plain = text'
        $row.IOPS | Should -BeOfType double
        $result.Label = '=1+1'
        $file = Join-Path $TestDrive 'rows.csv'
        $result | ConvertTo-IoRow -ForSpreadsheet | Export-Csv $file
        (Import-IoResult $file).Label | Should -Be '=1+1'
    }

    It 'has flat rows of verdicts' {
        $result = New-TestResult -Label '=1+1'
        $row = $result | Test-IoResult | ConvertTo-IoRow | Select-Object -First 1
        $row.RunId, $row.ComputerName, $row.RuleSet, $row.Outcome, $row.Unit | Should -Be $result.RunId, 'SQL1', 'flash', 'Pass', 'ms'
        $row.Outcome | Should -BeOfType ([string])
        $row.Measured | Should -BeOfType ([double])
        $row.StartTime | Should -Be ($result | ConvertTo-IoRow).StartTime
        ($result | Test-IoResult | ConvertTo-IoRow -ForSpreadsheet)[0].Label | Should -Be "'=1+1"
    }

    It 'refuses what is no result' {
        { 5 | ConvertTo-IoRow -ErrorAction Stop } | Should -Throw -ErrorId 'InputObjectNotBound,IoBench.PowerShell.ConvertToIoRowCommand'
        { ConvertTo-IoRow -InputObject ([pscustomobject]@{ A = 1 }) } | Should -Throw '*an object without Source and IOPS is not a test result*'
        { ConvertTo-IoRow -InputObject $null } | Should -Throw
    }
}
