BeforeAll {
    . (Join-Path $PSScriptRoot 'Common.ps1')

    # A run without a device, so that only what is written counts.
    function Invoke-NullTest {
        param([hashtable] $Setting)

        Invoke-IoTest -Path (Join-Path $TestDrive 'null.dat') -Backend Null -FileSize 8MB -Duration 50ms -WarmUp 0 @Setting
    }

    $nasty = "a`e]0;x`ab$([char]0x202e)c`nd$([char]0x9b)2J"
}

Describe 'The output of Invoke-IoTest' {
    BeforeEach {
        $file = Join-Path $TestDrive "$([guid]::NewGuid()).json"
    }

    It 'is refused while another run has it, and nothing is lost' {
        $first = [IoBench.Application.ResultOutputFile]::Create($file, 'Json', $false)
        try {
            $first.Add((New-TestResult))
            { Invoke-NullTest @{ OutputPath = $file; Force = $true } } | Should -Throw -ErrorId 'IoBench.OutputInUse,IoBench.PowerShell.InvokeIoTestCommand'
            { Invoke-NullTest @{ OutputPath = $file; Resume = $true } } | Should -Throw -ErrorId 'IoBench.OutputInUse,IoBench.PowerShell.InvokeIoTestCommand'
            { New-TestResult | Export-IoResult $file -Force } | Should -Throw -ErrorId 'IoBench.OutputInUse,IoBench.PowerShell.ExportIoResultCommand'
            $first.Add((New-TestResult))
        } finally {
            $first.Dispose()
        }
        @(Import-IoResult $file).Count | Should -Be 2
    }

    It 'is free again after the run, also after one that ended early' {
        $null = Invoke-NullTest @{ OutputPath = $file; OutstandingIO = 1, 2 }
        @(Import-IoResult $file).Count | Should -Be 2
        $null = Invoke-NullTest @{ OutputPath = $file; OutstandingIO = 1, 2, 3; Resume = $true } | Select-Object -First 1
        $null = Invoke-NullTest @{ OutputPath = $file; OutstandingIO = 1, 2, 3; Resume = $true }
        (Import-IoResult $file).OutstandingIO | Should -Be 1, 2, 3
        $null = Invoke-NullTest @{ OutputPath = $file; OutstandingIO = 1, 2, 3; Resume = $true }
        $null = Invoke-NullTest @{ OutputPath = $file; Resume = $true; WhatIf = $true }
        New-TestResult | Export-IoResult $file -Force
        @(Import-IoResult $file).Count | Should -Be 1
    }

    It 'leaves nothing where no test ran' {
        $other = Join-Path $TestDrive 'foreign.dat'
        [System.IO.File]::WriteAllText($other, 'precious')
        $null = Invoke-IoTest -Path $other -WritePercent 100 -Duration 50ms -OutputPath $file -ErrorAction SilentlyContinue
        Test-Path $file | Should -BeFalse
    }

    It 'cannot be the test file' {
        $problem = Get-ErrorOf { Invoke-IoTest -Path $file -FileSize 8MB -Duration 50ms -WarmUp 0 -OutputPath $file }
        $problem.FullyQualifiedErrorId | Should -Be 'IoBench.OutputIsTestFile,IoBench.PowerShell.InvokeIoTestCommand'
        Test-Path $file | Should -BeFalse
    }

    It 'cannot be a SQL Server file, a device, or a link that leads nowhere' -Skip:$IsWindows -Tag 'needs a system other than Windows' {
        $null = New-Item -ItemType SymbolicLink -Path "$TestDrive/link.json" -Target "$TestDrive/nothing.json" -Force
        foreach ($pair in @{ "$TestDrive/db.mdf" = 'IoBench.SqlServerFile'; '/dev/null' = 'IoBench.NotAFile'; "$TestDrive/link.json" = 'IoBench.BadLink' }.GetEnumerator()) {
            { New-TestResult | Export-IoResult $pair.Key -Format Json -Force } | Should -Throw -ErrorId "$($pair.Value),IoBench.PowerShell.ExportIoResultCommand"
            { Invoke-NullTest @{ OutputPath = $pair.Key; Force = $true } } | Should -Throw -ErrorId "$($pair.Value),IoBench.PowerShell.InvokeIoTestCommand"
        }
    }

    It 'stands beside a file that took its name meanwhile, and a warning says so' {
        $takeName = {
            if ($_ -is [IoBench.Engine.IoTestResult] -and $_.OutstandingIO -eq 1) {
                [System.IO.File]::Delete($file)
                [System.IO.File]::WriteAllText($file, 'precious')
            }
            $_
        }
        $all = @(Invoke-NullTest @{ OutputPath = $file; OutstandingIO = 1, 2 } 3>&1 | ForEach-Object $takeName)
        $said, $results = $all.Where({ $_ -is [System.Management.Automation.WarningRecord] }, 'Split')
        $results.Count | Should -Be 2
        [System.IO.File]::ReadAllText($file) | Should -Be 'precious'
        $beside = $file -replace '\.json$', '-2.json'
        @(Import-IoResult $beside).Count | Should -Be 2
        "$said" | Should -BeLike "*$beside*"
    }
}

Describe 'What a reader sees' {
    BeforeAll {
        $file = Join-Path $TestDrive 'seen.dat'
        $lines = Invoke-IoTest $file -Workload log-commit -FileSize 8MB -Duration 100ms -WarmUp 0 -WarningAction SilentlyContinue 6>&1 |
            Where-Object { $_ -is [System.Management.Automation.InformationRecord] }
    }

    It 'is the target, the estimate, the verdict, and what became of the file' {
        "$($lines[0])" | Should -Match '^Target    .*seen\.dat  8 MB'
        "$($lines[1])" | Should -Match '^Estimate  '
        @($lines -match '^(PASS|PRELIMINARY PASS|FAIL|NOT RATED)\b').Count | Should -Be 1
        "$($lines[-1])" | Should -Match 'Remove-IoTestFile'
    }

    It 'is written as Write-Host does' {
        $lines.ForEach({ $_.Tags -contains 'PSHOST' }) | Should -Not -Contain $false
        $lines[0].MessageData | Should -BeOfType ([System.Management.Automation.HostInformationMessage])
    }

    It 'is only objects in the pipeline' {
        $all = Invoke-IoTest $file -Workload log-commit -FileSize 8MB -Duration 100ms -WarmUp 0 -WarningAction SilentlyContinue 6>$null
        @($all).Count | Should -Be 1
        $all.Workload | Should -Be 'log-commit'
    }

    It 'names the report and its number of results' {
        $report = Join-Path $TestDrive 'seen.html'
        $said = New-TestResult | Export-IoReport $report 6>&1
        "$said" | Should -Be "Report saved: $report (1 result)"
    }

    It 'is visible in a terminal of <_> columns' -ForEach 80, 120 -Skip:(-not (Get-Command script -CommandType Application -ErrorAction Ignore) -or -not $IsLinux) -Tag 'needs the program script' {
        $session = Join-Path $TestDrive 'session.ps1'
        Set-Content $session @"
`$ProgressPreference = 'SilentlyContinue'; `$PSStyle.OutputRendering = 'PlainText'
Import-Module '$(Join-Path $repository 'IoBench.psd1')'
`$visible = Invoke-IoTest '$file' -Workload log-commit -FileSize 8MB -Duration 100ms -WarmUp 0 -WarningAction SilentlyContinue
'---'
`$silent = Invoke-IoTest '$file' -Workload log-commit -FileSize 8MB -Duration 100ms -WarmUp 0 -WarningAction SilentlyContinue 6>`$null
"@
        $own = (Get-Process -Id $PID).Path
        $screen = (script -qec "stty cols $_; '$own' -NoProfile -File '$session'" /dev/null) -join "`n"
        $seen, $silent = $screen -split '---', 2
        $seen | Should -Match 'Target    '
        $seen | Should -Match '(PASS|FAIL|NOT RATED)'
        $silent | Should -Not -Match 'Target|PASS|FAIL|NOT RATED'
    }

    It 'reaches the reader of a job' {
        $job = Start-ThreadJob {
            Import-Module $using:repository/IoBench.psd1
            Invoke-IoTest $using:file -Workload log-commit -FileSize 8MB -Duration 100ms -WarmUp 0 -WarningAction SilentlyContinue
        }
        $result = $job | Receive-Job -Wait -AutoRemoveJob 6>&1
        @($result -match '^(PASS|PRELIMINARY PASS|FAIL|NOT RATED)\b').Count | Should -Be 1
        @($result.Where({ $_ -is [IoBench.Engine.IoTestResult] })).Count | Should -Be 1
    }
}

Describe 'Reading' {
    It 'refuses a pipe, and reads a folder without it and without its links' -Skip:$IsWindows -Tag 'needs a system other than Windows' {
        $folder = [System.IO.Directory]::CreateDirectory("$TestDrive/tree").FullName
        New-TestResult | Export-IoResult "$folder/a.json" -Force
        mkfifo "$folder/pipe.json"
        $null = New-Item -ItemType SymbolicLink -Path "$folder/loop" -Target '.'
        (Get-ErrorOf { Import-IoResult "$folder/pipe.json" }).FullyQualifiedErrorId | Should -Be 'IoBench.NotAFile,IoBench.PowerShell.ImportIoResultCommand'
        @(Import-IoResult $folder -Recurse -WarningVariable said -WarningAction SilentlyContinue).Count | Should -Be 1
        "$said" | Should -BeLike '*skipped 1 link*1 pipe*'
    }
}

Describe 'Texts of others' {
    It 'are shown escaped in every view and stay as they are in the object' {
        $result = New-TestResult -Label $nasty -Path "T:\$nasty.dat" -Workload $nasty
        foreach ($name in 'WorkloadRole', 'ComputerName', 'Device', 'FileSystem', 'ErrorMessage', 'IOPattern', 'SourceFile') { $result.$name = $nasty }
        $result.Warnings.Add($nasty)
        $result.Host[$nasty] = $nasty
        $result.Label | Should -Be $nasty
        $shown = @(
            $result | Out-String -Width 200
            $result | Format-List | Out-String -Width 200
            $result | Format-Custom | Out-String -Width 200
            Test-IoResult -InputObject $result -ErrorAction SilentlyContinue | Out-String -Width 200
            @($result, (New-TestResult -Label 'other' -Path "T:\$nasty.dat" -Workload $nasty)) | Compare-IoResult -By Label -Baseline other -WarningAction SilentlyContinue | Out-String -Width 200
        ) -join "`n"
        [IoBench.Engine.SafeText]::IsSafe($shown, $true) | Should -BeTrue -Because ([IoBench.Engine.SafeText]::EscapeLines($shown))
        $shown | Should -BeLike '*a\e`]0;x\ab\u202ec\nd\u009b2J*'
    }

    It 'are escaped in errors and warnings' {
        $problem = Get-ErrorOf { Import-IoResult -LiteralPath "$TestDrive/no$nasty.json" }
        [IoBench.Engine.SafeText]::IsSafe($problem.ToString()) | Should -BeTrue
        $row = [pscustomobject]@{ Path = (Join-Path $TestDrive 'null.dat') }
        $row | Add-Member -NotePropertyName $nasty -NotePropertyValue 1
        $warned = $row | Invoke-IoTest -Backend Null -FileSize 8MB -Duration 50ms -WarmUp 0 3>&1 | Where-Object { $_ -is [System.Management.Automation.WarningRecord] }
        "$warned" | Should -Match 'a test has no setting with this name'
        [IoBench.Engine.SafeText]::IsSafe("$($warned[0])") | Should -BeTrue
    }

    It 'of a part of a result is words, and no name of a type' {
        $file = Join-Path $TestDrive 'parts.dat'
        $checked = Test-IoIntegrity $file -FileSize 1MB -Duration 0.2 -WarmUp 0 -Confirm:$false -WarningAction SilentlyContinue
        $spread = New-IoTestSpecification $file -Distribution 90/10, 10/90
        $change = (New-TestResult -Label A), (New-TestResult -Label B -Iops 2) | Compare-IoResult -By Label -WarningAction SilentlyContinue
        $parts = @($checked.Totals, $checked.Totals.Read) + $checked.Processors + $checked.Integrity.FirstPass + $spread.Distribution + $change.Metrics
        foreach ($part in $parts) { "$part" | Should -Not -Match 'IoBench\.' -Because $part.GetType().Name }
        "$($spread.Distribution)" | Should -Be '90/10 10/90'
        "$($checked.Integrity.FirstPass)" | Should -Match '^0 errors in 1 MB, '
        "$($change.Metrics[0])" | Should -Match '^IOPS -\d'
    }
}
