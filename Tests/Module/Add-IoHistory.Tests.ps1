BeforeAll {
    . (Join-Path $PSScriptRoot 'Common.ps1')
    $nights = Get-Night
}

Describe 'Add-IoHistory' {
    It 'keeps results in a folder, where Get-IoHistory finds them' {
        $folder = Join-Path $TestDrive 'history'
        $nights | Select-Object -First 58 | Add-IoHistory $folder | Should -BeNullOrEmpty
        (Get-IoHistory $folder).Runs | Should -Be 29, 29, 29, 29
        $nights | Select-Object -Last 2 | Add-IoHistory $folder
        (Get-IoHistory $folder -Metric IOPS).Runs | Should -Be 30, 30
        (Get-ChildItem $folder).Name | Should -Be 'SQL1-2026-01.jsonl', 'SQL1-2026-02.jsonl', 'SQL2-2026-01.jsonl', 'SQL2-2026-02.jsonl'
        (Get-IoHistory $folder -Metric AverageLatencyMs -ComputerName *2).Direction | Should -Be 'Steady'
        (Get-IoHistory $folder -AsResult -ComputerName SQL1 -Since '2026-02-01').Count | Should -Be 8
        (Get-IoHistory $folder -AsResult)[0].StartTime | Should -Be ([datetimeoffset]'2026-01-10T02:00:00+00:00')
    }

    It 'means a relative folder from where PowerShell is' {
        Push-Location -LiteralPath $TestDrive
        New-TestResult | Add-IoHistory here
        Pop-Location
        Join-Path $TestDrive 'here' | Should -Exist
    }

    It 'adds each result as it comes: what stops the pipeline costs none' {
        $folder = Join-Path $TestDrive 'stopped'
        { & { New-TestResult; throw 'the power went' } | Add-IoHistory $folder } | Should -Throw 'the power went'
        (Get-IoHistory $folder -AsResult).Count | Should -Be 1
    }

    It 'keeps a result once, however often it is added' {
        $folder = Join-Path $TestDrive 'again'
        $nights | Select-Object -First 4 | Add-IoHistory $folder
        $said = $nights | Select-Object -First 5 | Add-IoHistory $folder -Verbose 4>&1
        "$said" | Should -Match '4 results were already in the history'
        (Get-IoHistory $folder -AsResult).Count | Should -Be 5
    }

    It 'hands the results on with -PassThru' {
        ($nights | Select-Object -First 3 | Add-IoHistory (Join-Path $TestDrive 'on') -PassThru).IOPS | Should -Be $nights[0..2].IOPS
    }

    It 'writes nothing with -WhatIf' {
        $folder = Join-Path $TestDrive 'none'
        $nights | Add-IoHistory $folder -WhatIf
        $folder | Should -Not -Exist
    }

    It 'refuses a file before anything runs' {
        $file = Join-Path $TestDrive 'file.txt'
        Set-Content $file 'x'
        $ran = [System.Collections.Generic.List[int]]::new()
        (Get-ErrorOf { & { $ran.Add(1); New-TestResult } | Add-IoHistory $file }).FullyQualifiedErrorId | Should -Be 'IoBench.HistoryFolder,IoBench.PowerShell.AddIoHistoryCommand'
        $ran.Count | Should -Be 0
    }

    It 'takes what is new in a folder of results, each once' {
        $results = New-Item -ItemType Directory (Join-Path $TestDrive 'results')
        $folder = Join-Path $TestDrive 'taken'
        $nights | Select-Object -First 4 | Export-IoResult (Join-Path $results 'a.json')
        (Add-IoHistory $folder -From $results -PassThru).Count | Should -Be 4
        Rename-Item (Join-Path $results 'a.json') 'b.json'
        $nights | Select-Object -First 6 | Export-IoResult (Join-Path $results 'c.csv')
        $nights | Select-Object -First 6 | Export-IoResult (Join-Path $results 'd.json')
        (Get-IoHistory $folder -AsResult).Count | Should -Be 4
        Add-IoHistory $folder -From (Join-Path $results 'd.json')
        (Get-IoHistory $folder -AsResult).Count | Should -Be 6
        Add-IoHistory (Join-Path $TestDrive 'no') -From $results -WhatIf
        Join-Path $TestDrive 'no' | Should -Not -Exist
    }

    It 'takes wildcards of -From, and says which file is not there' {
        $results = [System.IO.Directory]::CreateDirectory((Join-Path $TestDrive 'wild')).FullName
        New-Night 1 1000 | Export-IoResult (Join-Path $results 'a.json')
        New-Night 2 1000 | Export-IoResult (Join-Path $results 'b[1].json')
        $folder = Join-Path $TestDrive 'of-wild'
        (Add-IoHistory $folder -From (Join-Path $results '*.json') -PassThru).Count | Should -Be 2
        (Add-IoHistory "$folder-2" -From (Join-Path $results 'b[1].json') -PassThru).Count | Should -Be 1
        Add-IoHistory $folder -From (Join-Path $results 'none.json'), (Join-Path $results 'a.json') -ErrorVariable problems -ErrorAction SilentlyContinue
        $problems.FullyQualifiedErrorId | Should -Be "IoBench.FileNotFound,$(Get-ErrorSource Add-IoHistory)"
    }
}
