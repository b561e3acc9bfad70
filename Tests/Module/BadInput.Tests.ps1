# What each cmdlet says to input that it cannot take. One table for all, so that a new cmdlet cannot be forgotten; what is special to one is in its own file.
BeforeDiscovery {
    $repository = Split-Path -Path (Split-Path -Path $PSScriptRoot)
    $commands = (Import-PowerShellDataFile (Join-Path $repository 'IoBench.psd1')).ForEach({ $_.CmdletsToExport })

    # Takers of results. Empty: what an empty pipeline is; an id, or nothing for no output and no error.
    $resultTakers = @(
        @{ Command = 'Add-IoHistory'; More = @{ Path = 'kept'; PassThru = $true }; Good = @('A'); Count = 1; Empty = '' }
        @{ Command = 'Compare-IoResult'; More = @{ Baseline = 'Old' }; Good = 'Old', 'New'; Count = 1; Empty = 'IoBench.NothingToCompare' }
        @{ Command = 'ConvertTo-IoRow'; More = @{}; Good = @('A'); Count = 1; Empty = '' }
        @{ Command = 'Export-IoReport'; More = @{ Path = 'r.html'; PassThru = $true; Force = $true }; Good = @('A'); Count = 1; Empty = 'IoBench.NoResults'; TakesNull = $true }
        @{ Command = 'Export-IoResult'; More = @{ Path = 'r.json'; PassThru = $true; Force = $true }; Good = @('A'); Count = 1; Empty = 'IoBench.NoResults' }
        @{ Command = 'Find-IoCap'; More = @{}; Good = @(); Count = 0; Empty = 'IoBench.NoCapRuns' }
        @{ Command = 'Get-IoHistory'; More = @{ AsResult = $true }; Good = @('A'); Count = 1; Empty = ''; TakesNull = $true }
        @{ Command = 'Measure-IoSaturation'; More = @{}; Good = @(); Count = 0; Empty = 'IoBench.NoSweep' }
        @{ Command = 'Test-IoResult'; More = @{ Quiet = $true }; Good = @('A'); Count = 1; Empty = '' }
    )

    # Takers of files to read.
    $fileTakers = @(
        @{ Command = 'Import-IoResult'; By = 'Path'; More = @{}; Foreign = 'IoBench.UnknownFormat'; Good = 'good.txt' }
        @{ Command = 'Import-SqlioResult'; By = 'Path'; More = @{}; Foreign = 'IoBench.UnknownFormat'; Good = 'good.txt' }
        @{ Command = 'Import-DiskSpdResult'; By = 'Path'; More = @{}; Foreign = 'IoBench.UnknownFormat'; Good = 'diskspd.txt' }
        @{ Command = 'ConvertFrom-IoCommandLine'; By = 'Path'; More = @{}; Foreign = 'IoBench.NoCommandLines'; Good = 'good.cmd' }
        @{ Command = 'Get-IoHistory'; By = 'Path'; More = @{ AsResult = $true }; Foreign = 'IoBench.UnknownFormat'; Good = 'good.txt' }
        @{ Command = 'Remove-IoTestFile'; By = 'Path'; More = @{}; Foreign = 'IoBench.ForeignFile'; Good = 'own.dat'; Removes = $true }
    )

    # Takers of a place to test or to write.
    $placeTakers = @(
        @{ Command = 'Invoke-IoTest'; More = @{ Duration = 0.1; WarmUp = 0; FileSize = '1MB' }; Harm = @{ WritePercent = 100 } }
        @{ Command = 'New-IoTestFile'; More = @{ FileSize = '1MB' }; Harm = @{} }
        @{ Command = 'Measure-IoLimit'; More = @{ MaxLatencyMs = 60000; Duration = 0.1; WarmUp = 0; FileSize = '1MB'; TolerancePercent = 50; MaxProbes = 5 }; Harm = @{ WritePercent = 100 } }
        @{ Command = 'Find-IoCap'; More = @{ Duration = 0.1; WarmUp = 0; FileSize = '1MB'; BlockSize = '8KB', '64KB'; OutstandingIO = 4, 16 }; Harm = @{} }
    )

    # A wrong value of each kind of parameter.
    $wrongValues = @(
        @{ Command = 'Compare-IoResult'; Call = { New-TestResult | Compare-IoResult -Alpha 2 }; Id = 'ParameterArgumentValidationError' }
        @{ Command = 'Compare-IoResult'; Call = { (New-TestResult -Label A), (New-TestResult -Label B) | Compare-IoResult -By Nonsense }; Id = 'IoBench.UnknownProperty' }
        @{ Command = 'ConvertFrom-IoCommandLine'; Call = { ConvertFrom-IoCommandLine 'sqlio -kX' }; Id = 'IoBench.InvalidCommandLine' }
        @{ Command = 'ConvertFrom-IoCommandLine'; Call = { ConvertFrom-IoCommandLine $null }; Id = 'ParameterArgumentValidationErrorNullNotAllowed' }
        @{ Command = 'Compare-IoResult'; Call = { New-TestResult -Label A | Compare-IoResult "$TestDrive/none.json" }; Id = 'IoBench.NothingToCompare' }
        @{ Command = 'Compare-IoResult'; Call = { Set-Content "$TestDrive/diary.txt" 'Dear diary'; New-TestResult -Label A | Compare-IoResult "$TestDrive/diary.txt" }; Id = 'IoBench.UnknownFormat' }
        @{ Command = 'Export-IoReport'; Call = { New-TestResult | Export-IoReport "$TestDrive/r.html" -Baseline 5 }; Id = 'IoBench.NotAResult' }
        @{ Command = 'Export-IoReport'; Call = { New-TestResult | Export-IoReport "$TestDrive/r.html" -Baseline "$TestDrive/none.json" }; Id = 'IoBench.FileNotFound' }
        @{ Command = 'Export-IoReport'; Call = { New-TestResult | Export-IoReport "$TestDrive/r*.html" }; Id = 'IoBench.InvalidOutputPath' }
        @{ Command = 'Export-IoReport'; Call = { New-TestResult | Export-IoReport "$TestDrive/no/r.html" }; Id = 'IoBench.FolderNotFound' }
        @{ Command = 'Export-IoResult'; Call = { New-TestResult | Export-IoResult "$TestDrive/r?.json" }; Id = 'IoBench.InvalidOutputPath' }
        @{ Command = 'Export-IoResult'; Call = { New-TestResult | Export-IoResult "$TestDrive/no/r.json" }; Id = 'IoBench.FolderNotFound' }
        @{ Command = 'Export-IoResult'; Call = { New-TestResult | Export-IoResult "$TestDrive/r.json" -Format Word }; Id = 'CannotConvertArgumentNoMessage' }
        @{ Command = 'Export-IoResult'; Call = { New-TestResult | Export-IoResult ' ' -Format Json }; Id = 'IoBench.InvalidOutputPath' }
        @{ Command = 'Export-IoResult'; Call = { New-TestResult | Export-IoResult "$TestDrive/a`0b.json" }; Id = 'IoBench.InvalidOutputPath' }
        @{ Command = 'Export-IoReport'; Call = { New-TestResult | Export-IoReport "$TestDrive/r.html" -Baseline '' }; Id = 'IoBench.EmptyPath' }
        @{ Command = 'Add-IoHistory'; Call = { New-TestResult | Add-IoHistory "$TestDrive/a`0b" }; Id = 'IoBench.InvalidPath' }
        @{ Command = 'Add-IoHistory'; Call = { New-TestResult | Add-IoHistory ' ' }; Id = 'IoBench.EmptyPath' }
        @{ Command = 'New-IoWorkload'; Call = { New-IoWorkload '' }; Id = 'IoBench.EmptyPath' }
        @{ Command = 'Find-IoStorage'; Call = { Find-IoStorage '' }; Id = 'IoBench.EmptyPath' }
        @{ Command = 'Find-IoStorage'; Call = { Find-IoStorage "$TestDrive/none.csv" }; Id = 'IoBench.FileNotFound' }
        @{ Command = 'Find-IoStorage'; Call = { Find-IoStorage x.csv -Headroom 500 }; Id = 'ParameterArgumentValidationError' }
        @{ Command = 'Test-IoResult'; Call = { New-TestResult | Test-IoResult -RuleSet '' }; Id = 'IoBench.UnknownRuleSet' }
        @{ Command = 'Find-IoCap'; Call = { Find-IoCap $TestDrive -OutstandingIO 0 }; Id = 'ParameterArgumentValidationError' }
        @{ Command = 'Get-IoHistory'; Call = { New-TestResult | Get-IoHistory -Since never }; Id = 'CannotConvertArgumentNoMessage' }
        @{ Command = 'Get-IoRuleSet'; Call = { Get-IoRuleSet $null }; Id = 'ParameterArgumentValidationError' }
        @{ Command = 'Get-IoRuleSet'; Call = { 'no-such', 'flash' | Get-IoRuleSet }; Id = 'IoBench.UnknownRuleSet'; Count = 1 }
        @{ Command = 'Get-IoWorkload'; Call = { Get-IoWorkload -Kind Game }; Id = 'ParameterArgumentValidationError' }
        @{ Command = 'Get-IoWorkload'; Call = { Get-IoWorkload $null }; Id = 'ParameterArgumentValidationError' }
        @{ Command = 'Get-IoWorkload'; Call = { Get-IoWorkload no-such }; Id = 'IoBench.UnknownWorkload' }
        @{ Command = 'Get-IoWorkload'; Call = { 'no-such', 'oltp' | Get-IoWorkload }; Id = 'IoBench.UnknownWorkload'; Count = 1 }
        @{ Command = 'Get-IoWorkload'; Call = { $null | Get-IoWorkload }; Id = 'ParameterArgumentValidationError' }
        @{ Command = 'Get-IoWorkload'; Call = { [pscustomobject]@{ A = 1 } | Get-IoWorkload }; Id = 'IoBench.UnknownWorkload' }
        @{ Command = 'Import-IoResult'; Call = { Import-IoResult x -LabelFrom Moon }; Id = 'ParameterArgumentValidationError' }
        @{ Command = 'Import-SqlioResult'; Call = { Import-SqlioResult x -LabelFrom Moon }; Id = 'ParameterArgumentValidationError' }
        @{ Command = 'Import-DiskSpdResult'; Call = { Import-DiskSpdResult x -LabelFrom Moon }; Id = 'ParameterArgumentValidationError' }
        @{ Command = 'Invoke-IoTest'; Call = { Invoke-IoTest $TestDrive -Repeat 0 }; Id = 'ParameterArgumentValidationError' }
        @{ Command = 'Invoke-IoTest'; Call = { Invoke-IoTest $TestDrive -AccessPattern Sideways }; Id = 'CannotConvertArgumentNoMessage' }
        @{ Command = 'Invoke-IoTest'; Call = { Invoke-IoTest $TestDrive -Session 'SQL1' }; Id = 'CannotConvertArgumentNoMessage' }
        @{ Command = 'Invoke-IoTest'; Call = { Invoke-IoTest -ParameterFile "$TestDrive/none.txt" }; Id = 'IoBench.FileNotFound' }
        @{ Command = 'Invoke-IoTest'; Call = { Set-Content "$TestDrive/diary.txt" 'Dear diary'; Invoke-IoTest -ParameterFile "$TestDrive/diary.txt" }; Id = 'IoBench.InvalidParameterFile' }
        @{ Command = 'Invoke-IoTest'; Call = { Set-Content "$TestDrive/diary.txt" 'Dear diary'; Invoke-IoTest -CommandLine "$TestDrive/diary.txt" }; Id = 'IoBench.NoCommandLines' }
        @{ Command = 'Invoke-IoTest'; Call = { Set-Content "$TestDrive/diary.txt" 'Dear diary'; Invoke-IoTest "$TestDrive/x.dat" -Backend Null -OutputPath "$TestDrive/diary.txt" -Resume }; Id = 'IoBench.UnknownFormat' }
        @{ Command = 'Invoke-IoTest'; Call = { 5 | Invoke-IoTest -Workload oltp -Backend Null -Duration 0.1 -WhatIf -ErrorAction Stop; throw 'taken as a name' }; Id = 'IoBench.NotAPath' }
        @{ Command = 'Invoke-IoTest'; Call = { Get-Process -Id $PID | Invoke-IoTest -InputObject { $_ } }; Id = 'InputObjectNotBound' }
        @{ Command = 'Invoke-IoTest'; Call = { @{ A = 1 }, "$TestDrive/x.dat" | Invoke-IoTest -Backend Null -Duration 0.1 -WarmUp 0 }; Id = 'IoBench.NotAPath'; Count = 1 }
        @{ Command = 'Remove-IoSessionModule'; Call = { Remove-IoSessionModule 'SQL1' }; Id = 'CannotConvertArgumentNoMessage' }
        @{ Command = 'Remove-IoSessionModule'; Call = { $null | Remove-IoSessionModule }; Id = 'ParameterArgumentValidationErrorNullNotAllowed' }
        @{ Command = 'Measure-IoLimit'; Call = { Measure-IoLimit $TestDrive 0 }; Id = 'ParameterArgumentValidationError' }
        @{ Command = 'Measure-IoLimit'; Call = { Measure-IoLimit $TestDrive 5 -Workload sql-server -Backend Null }; Id = 'IoBench.SuiteNotPossible' }
        @{ Command = 'Measure-IoSaturation'; Call = { Measure-IoSaturation 'text' }; Id = 'CannotConvertArgumentNoMessage' }
        @{ Command = 'New-IoTestFile'; Call = { New-IoTestFile "$TestDrive/n.dat" -FileSize big }; Id = 'CannotConvertArgumentNoMessage' }
        @{ Command = 'New-IoTestSpecification'; Call = { New-IoTestSpecification -Distribution 'all' }; Id = 'IoBench.InvalidDistribution' }
        @{ Command = 'New-IoTestSpecification'; Call = { New-IoTestSpecification -Affinity 'left' }; Id = 'IoBench.InvalidAffinity' }
        @{ Command = 'New-IoTestSpecification'; Call = { New-IoTestSpecification -ThreadCount 3000 }; Id = 'ParameterArgumentValidationError' }
        @{ Command = 'New-IoTestSpecification'; Call = { New-IoTestSpecification -WriteContent none.bin }; Id = 'IoBench.FileNotFound' }
        @{ Command = 'Measure-IoLimit'; Call = { Measure-IoLimit $TestDrive 5 -ThreadCount many }; Id = 'ParameterArgumentValidationError' }
        @{ Command = 'New-IoTestSpecification'; Call = { New-IoTestSpecification -Workload sql-server }; Id = 'IoBench.SuiteNotPossible' }
        @{ Command = 'New-IoTestSpecification'; Call = { New-IoTestSpecification -Workload nonsense }; Id = 'IoBench.UnknownWorkload' }
        @{ Command = 'New-IoTestSpecification'; Call = { New-IoTestSpecification -BaseOffset 1MB }; Id = 'IoBench.NoPath' }
        @{ Command = 'New-IoTestSpecification'; Call = { 'text' | New-IoTestSpecification -ErrorAction Stop }; Id = 'InputObjectNotBound' }
        @{ Command = 'New-IoWorkload'; Call = { Set-Content "$TestDrive/one.csv" 'database_id,file_id,sample_ms,num_of_reads,num_of_bytes_read,io_stall_read_ms,num_of_writes,num_of_bytes_written,io_stall_write_ms', '5,1,1000,0,0,0,0,0,0'; New-IoWorkload "$TestDrive/one.csv" }; Id = 'IoBench.TwoSnapshots' }
        @{ Command = 'New-IoTestSpecification'; Call = { $null | New-IoTestSpecification }; Id = 'ParameterArgumentValidationError' }
        @{ Command = 'New-IoTestSpecification'; Call = { 'text', (New-IoTestSpecification), 5 | New-IoTestSpecification }; Id = 'InputObjectNotBound'; Count = 1 }
        @{ Command = 'New-IoTestSpecification'; Call = { New-IoTestSpecification 'no*.such' }; Id = 'IoBench.NoMatch'; Count = 1 }
        @{ Command = 'New-IoWorkload'; Call = { New-IoWorkload 'no1.csv', 'no2.csv' }; Id = 'IoBench.FileNotFound' }
        @{ Command = 'New-IoWorkload'; Call = { New-IoWorkload 'no*.csv', 'no2.csv' }; Id = 'IoBench.FileNotFound' }
        @{ Command = 'New-IoWorkload'; Call = { New-IoWorkload $null }; Id = 'ParameterArgumentValidationError' }
        @{ Command = 'New-IoWorkload'; Call = { Set-Content "$TestDrive/f.csv" "a,b`n1,2"; New-IoWorkload "$TestDrive/f.csv", "$TestDrive/f.csv" }; Id = 'IoBench.InvalidFileStats' }
        @{ Command = 'New-IoWorkload'; Call = { New-IoWorkload -XEventPath 'none.xml' }; Id = 'IoBench.FileNotFound' }
        @{ Command = 'New-IoWorkload'; Call = { New-IoWorkload -XEventPath '' }; Id = 'ParameterArgumentValidationError' }
        @{ Command = 'New-IoWorkload'; Call = { Set-Content "$TestDrive/diary.txt" 'Dear diary'; New-IoWorkload -XEventPath "$TestDrive/diary.txt" }; Id = 'IoBench.NoXEvents' }
        @{ Command = 'New-IoWorkload'; Call = { Set-Content "$TestDrive/cut.xml" '<event name="file_read_completed" timestamp="2026-11-28T10:00:00.000Z"><data name="off'; New-IoWorkload -XEventPath "$TestDrive/cut.xml" }; Id = 'IoBench.InvalidXEvents' }
        @{ Command = 'Remove-IoTestFile'; Call = { Remove-IoTestFile $null }; Id = 'ParameterArgumentValidationErrorNullNotAllowed' }
        @{ Command = 'Test-IoResult'; Call = { New-TestResult | Test-IoResult -RuleSet nonsense }; Id = 'IoBench.UnknownRuleSet' }
        @{ Command = 'Test-IoResult'; Call = { New-TestResult | Test-IoResult -RuleSet "$TestDrive/none.json" }; Id = 'IoBench.UnknownRuleSet' }
        @{ Command = 'Test-IoResult'; Call = { Set-Content "$TestDrive/diary.txt" 'Dear diary'; New-TestResult | Test-IoResult -RuleSet "$TestDrive/diary.txt" }; Id = 'IoBench.InvalidRuleFile' }
        @{ Command = 'Test-IoResult'; Call = { New-TestResult | Test-IoResult -Rule @{ Speed = 1 } }; Id = 'ParameterArgumentTransformationError' }
        @{ Command = 'Test-IoIntegrity'; Call = { Test-IoIntegrity $TestDrive -OutstandingIO 0 }; Id = 'ParameterArgumentValidationError' }
        @{ Command = 'Find-IoLatency'; Call = { Find-IoLatency "$TestDrive/n.dat" -FileSize 4KB }; Id = 'IoBench.InvalidSize' }
        @{ Command = 'Import-SqlErrorLog'; Call = { Set-Content "$TestDrive/diary.log" 'Dear diary'; Import-SqlErrorLog "$TestDrive/diary.log" }; Id = 'IoBench.NotAnErrorLog' }
        @{ Command = 'Measure-IoCommit'; Call = { Measure-IoCommit "$TestDrive/n.dat" -WriteSize 700 }; Id = 'IoBench.InvalidValue' }
        @{ Command = 'Watch-IoFailover'; Call = { Watch-IoFailover "$TestDrive/n.dat" -BlockSize 512 }; Id = 'IoBench.InvalidValue' }
        @{ Command = 'Invoke-IoFleet'; Call = { Invoke-IoFleet "$TestDrive/none.csv" /data -Confirm:$false }; Id = 'IoBench.Inventory' }
        @{ Command = 'Receive-IoFleet'; Call = { Set-Content "$TestDrive/lines.jsonl" 'no line of a member'; Receive-IoFleet "$TestDrive/lines.jsonl" }; Id = 'IoBench.NoFleet' }
        @{ Command = 'Test-IoHost'; Call = { Test-IoHost "$TestDrive/none" }; Id = 'IoBench.DirectoryNotFound' }
        @{ Command = 'ConvertTo-IoRow'; Call = { ConvertTo-IoRow $null }; Id = 'ParameterArgumentValidationErrorNullNotAllowed' }
    )
    $covered = @($resultTakers.Command) + $fileTakers.Command + $placeTakers.Command + $wrongValues.Command | Sort-Object -Unique
    $null = $commands, $covered
}

BeforeAll {
    . (Join-Path $PSScriptRoot 'Common.ps1')

    function Get-Problem {
        # All errors of a script block, written or thrown, and what it put out before.
        param([scriptblock] $Script)

        # A module's functions see the global preference, and a run of tests may have set it: here what comes after the first error counts too.
        $preference = Get-Variable -Name ErrorActionPreference -Scope Global -ValueOnly
        Set-Variable -Name ErrorActionPreference -Scope Global -Value 'Continue'
        $ErrorActionPreference = 'Continue'
        $found = @{ Output = @(); Errors = @() }
        try {
            # One by one: what is terminating comes after what was not.
            & $Script 2>&1 | ForEach-Object { if ($_ -is [System.Management.Automation.ErrorRecord]) { $found.Errors += $_ } else { $found.Output += $_ } }
        } catch {
            $found.Errors += $_
        } finally {
            Set-Variable -Name ErrorActionPreference -Scope Global -Value $preference
            $null = $ErrorActionPreference
        }
        $found
    }
}

Describe 'Every cmdlet' {
    It 'is in the tables of bad input: <_>' -ForEach $commands {
        $tables = Get-Content -Raw $PSCommandPath
        $tables | Should -Match "Command = '$_'"
    }
}

Describe '<Command>, results from the pipeline' -ForEach $resultTakers {
    BeforeAll {
        Push-Location -LiteralPath $TestDrive
        $bad = 5, 'text', (Get-Process -Id $PID), ([pscustomobject]@{ A = 1 })
    }

    AfterAll { Pop-Location }

    It 'takes nothing that is no result, an error each' {
        # To one a text or a file is a place to test.
        if ($Command -eq 'Find-IoCap') { $bad = @($bad[-1]) }
        foreach ($item in $bad) {
            $found = Get-Problem { $item | & $Command @More }
            $found.Errors.FullyQualifiedErrorId | Select-Object -First 1 | Should -Be "$($Command -eq 'Find-IoCap' ? 'IoBench.NotAPath' : 'InputObjectNotBound'),$(Get-ErrorSource $Command)"
            $found.Errors[0].CategoryInfo.Category | Should -Be 'InvalidArgument'
        }
    }

    It 'says what null is' {
        $found = Get-Problem { $null | & $Command @More }
        if ($_['TakesNull']) {
            $found.Errors.FullyQualifiedErrorId | Should -Be ($Empty ? "$Empty,$(Get-ErrorSource $Command)" : $null)
        } else {
            $found.Errors[0].FullyQualifiedErrorId | Should -BeLike "Parameter*Null*,$(Get-ErrorSource $Command)"
        }
    }

    It 'says what an empty pipeline is' {
        $found = Get-Problem { @() | & $Command @More }
        if ($Empty) {
            $found.Errors.FullyQualifiedErrorId | Should -Be "$Empty,$(Get-ErrorSource $Command)"
            $found.Errors[0].Exception.Message | Should -Not -Match "`n"
        } else {
            $found.Errors | Should -BeNullOrEmpty
        }
    }

    if ($_.Good) {
        It 'leaves out the bad among the good' {
            $mixed = @('bad') + @($Good | ForEach-Object { New-TestResult -Label $_ }) + 7
            $found = Get-Problem { $mixed | & $Command @More }
            $found.Errors.FullyQualifiedErrorId | Should -Be (@("InputObjectNotBound,$(Get-ErrorSource $Command)") * 2)
            $found.Output.Count | Should -Be $Count
        }
    }

    It 'stops at the first bad one when asked to' {
        $found = Get-Problem { ([pscustomobject]@{ A = 1 }), (New-TestResult) | & $Command @More -ErrorAction Stop }
        $found.Output | Should -BeNullOrEmpty
        $found.Errors.Count | Should -Be 1
    }
}

Describe '<Command>, files to read' -ForEach $fileTakers {
    BeforeAll {
        Push-Location -LiteralPath $TestDrive
        Set-Content -LiteralPath 'foreign.txt' -Value "Dear diary,`nnothing today."
        Copy-Item -LiteralPath (Join-Path $samples 'documents' 'write-8k-sequential-BN.txt') -Destination 'good.txt'
        Copy-Item -LiteralPath (Join-Path $samples 'diskspd-runs' 'v21-Sh.out') -Destination 'diskspd.txt'
        Set-Content -LiteralPath 'good.cmd' -Value 'sqlio -kR -s1 -frandom -o8 -b8 -LS test.dat'
        $null = New-IoTestFile 'own.dat' -FileSize 1MB
    }

    AfterAll { Pop-Location }

    It 'says which file is missing' {
        $call = $More.Clone()
        $call[$By] = 'missing.txt'
        $found = Get-Problem { & $Command @call }
        $found.Errors.Count | Should -Be 1
        $found.Errors[0].FullyQualifiedErrorId | Should -Be "IoBench.FileNotFound,$(Get-ErrorSource $Command)"
        $found.Errors[0].CategoryInfo.Category | Should -Be 'ObjectNotFound'
        $found.Errors[0].Exception.Message | Should -Match 'missing\.txt'
    }

    It 'says what is foreign' {
        $call = $More.Clone()
        $call[$By] = 'foreign.txt'
        $found = Get-Problem { & $Command @call }
        $found.Output | Should -BeNullOrEmpty
        $found.Errors.FullyQualifiedErrorId | Should -Be "$Foreign,$(Get-ErrorSource $Command)"
        'foreign.txt' | Should -Exist
    }

    It 'says that a wildcard matches nothing' {
        $call = $More.Clone()
        $call[$By] = 'no*.such'
        (Get-Problem { & $Command @call }).Errors.FullyQualifiedErrorId | Should -Be "IoBench.NoMatch,$(Get-ErrorSource $Command)"
    }

    It 'says that a path is empty, or of another kind' {
        foreach ($pair in @{ ' ' = 'IoBench.EmptyPath'; 'Env:\PATH' = 'IoBench.NotAFilePath'; 'nodrive:\x' = 'IoBench.DriveNotFound' }.GetEnumerator()) {
            $call = $More.Clone()
            $call[$By] = $pair.Key
            (Get-Problem { & $Command @call }).Errors.FullyQualifiedErrorId | Should -Be "$($pair.Value),$(Get-ErrorSource $Command)"
        }
    }

    It 'has nothing to do with an empty pipeline, and takes no null' {
        # A history has results, too: what it says to none of them is above.
        if ($Command -eq 'Get-IoHistory') { return }
        $found = Get-Problem { @() | & $Command @More }
        $found.Errors | Should -BeNullOrEmpty
        $found.Output | Should -BeNullOrEmpty
        (Get-Problem { $null | & $Command @More }).Errors[0].FullyQualifiedErrorId | Should -BeLike "Parameter*Null*,$(Get-ErrorSource $Command)"
        (Get-Problem { & $Command -Path $null }).Errors[0].FullyQualifiedErrorId | Should -BeLike "Parameter*Null*,$(Get-ErrorSource $Command)"
    }

    It 'says that an object is no path' {
        # Text is a command line, of which nothing can be run, to one; objects are results to another.
        $found = Get-Problem { [pscustomobject]@{ A = 1 } | & $Command @More 3>&1 }
        switch ($Command) {
            'ConvertFrom-IoCommandLine' { "$($found.Output)" | Should -Match 'is not a command line of' }
            'Get-IoHistory' { $found.Errors[0].FullyQualifiedErrorId | Should -Be "InputObjectNotBound,$(Get-ErrorSource $Command)" }
            default { $found.Errors.FullyQualifiedErrorId | Should -Be "IoBench.NotAPath,$(Get-ErrorSource $Command)" }
        }
    }

    It 'takes the good beside the bad' {
        $call = $More.Clone()
        $call[$By] = 'missing.txt', $Good, 'foreign.txt'
        $found = Get-Problem { & $Command @call }
        $found.Errors.FullyQualifiedErrorId | Should -Be "IoBench.FileNotFound,$(Get-ErrorSource $Command)", "$Foreign,$(Get-ErrorSource $Command)"
        if ($_['Removes']) {
            $Good | Should -Not -Exist
            'foreign.txt' | Should -Exist
        } else {
            $found.Output.Count | Should -BeGreaterThan 0
        }
    }
}

Describe '<Command>, places to test' -ForEach $placeTakers {
    It 'says that <Name> will not do' -ForEach @(
        @{ Name = 'a folder that is not there'; Path = 'no/such/folder/x.dat'; Ids = 'IoBench.DirectoryNotFound', 'IoBench.NoResults' }
        @{ Name = 'an empty name'; Path = ' '; Ids = 'IoBench.EmptyPath', 'IoBench.NoPath' }
        @{ Name = 'another provider'; Path = 'Env:\PATH'; Ids = 'IoBench.NotAFilePath', 'IoBench.NoPath' }
        @{ Name = 'a drive that is not there'; Path = 'nodrive:\x'; Ids = 'IoBench.DriveNotFound', 'IoBench.NoPath' }
        @{ Name = 'a wildcard without match'; Path = 'no*.such'; Ids = 'IoBench.NoMatch', 'IoBench.NoPath' }
    ) {
        Push-Location -LiteralPath $TestDrive
        $found = Get-Problem { & $Command -Path $Path @More }
        Pop-Location
        $found.Output | Should -BeNullOrEmpty
        $found.Errors.Count | Should -BeGreaterThan 0
        # A cmdlet that runs Invoke-IoTest may hand on its error.
        $found.Errors[0].FullyQualifiedErrorId.Split(',')[0] | Should -BeIn $Ids
        $found.Errors[0].Exception.Message | Should -Not -Match "`n|   at "
    }

    It 'takes no null, and has nothing to do with an empty pipeline' {
        (Get-Problem { & $Command -Path $null @More }).Errors[0].FullyQualifiedErrorId | Should -BeLike "Parameter*Null*,$(Get-ErrorSource $Command)"
        (Get-Problem { $null | & $Command @More }).Errors[0].FullyQualifiedErrorId | Should -BeLike "Parameter*Null*,$(Get-ErrorSource $Command)"
        $found = Get-Problem { @() | & $Command @More }
        # Results may come the same way to one, and none came.
        $found.Errors.FullyQualifiedErrorId | Should -Be ($Command -eq 'Find-IoCap' ? "IoBench.NoCapRuns,$(Get-ErrorSource $Command)" : $null)
        $found.Output | Should -BeNullOrEmpty
    }

    It 'says that an object is no path, and makes no file of its name' {
        Push-Location -LiteralPath $TestDrive
        $found = Get-Problem { [pscustomobject]@{ A = 1 } | & $Command @More }
        Pop-Location
        $found.Output | Should -BeNullOrEmpty
        $found.Errors[0].FullyQualifiedErrorId | Should -Be "IoBench.NotAPath,$(Get-ErrorSource $Command)"
        Get-ChildItem -LiteralPath $TestDrive -Filter '@*' | Should -BeNullOrEmpty
    }

    It 'writes to no file of others' {
        Push-Location -LiteralPath $TestDrive
        Set-Content -LiteralPath 'theirs.dat' -Value ('their words' * 2000) -NoNewline
        $found = Get-Problem { & $Command -Path 'theirs.dat' @More @Harm }
        Pop-Location
        $found.Output | Should -BeNullOrEmpty
        $found.Errors[0].FullyQualifiedErrorId.Split(',')[0] | Should -Be 'IoBench.ForeignFile'
        [System.IO.File]::ReadAllText("$TestDrive/theirs.dat") | Should -Be ('their words' * 2000)
    }

    It 'takes the good place beside the bad' {
        Push-Location -LiteralPath $TestDrive
        $found = Get-Problem { & $Command -Path 'no/such/x.dat', "good-$Command.dat" @More }
        Pop-Location
        $found.Errors[0].FullyQualifiedErrorId.Split(',')[0] | Should -Be 'IoBench.DirectoryNotFound'
        $found.Output.Count | Should -Be 1
    }
}

Describe 'A wrong value' {
    It '<Command> answers <Call> with <Id>' -ForEach $wrongValues {
        $found = Get-Problem $Call
        $found.Errors.Count | Should -BeGreaterThan 0
        $found.Errors[0].FullyQualifiedErrorId.Split(',')[0] | Should -Be $Id
        # PowerShell's own messages list an enumeration's names in a line of their own.
        if ($Id -like 'IoBench.*') { $found.Errors[0].Exception.Message | Should -Not -Match "`n|   at " }
        if ($_['Count']) { $found.Output.Count | Should -Be $_['Count'] }
    }
}

Describe 'Values that are not paths' {
    It '<Value> is refused by <Command>' -ForEach @(
        foreach ($command in 'Invoke-IoTest', 'Find-IoCap', 'Measure-IoLimit', 'Test-IoIntegrity', 'New-IoTestFile', 'Remove-IoTestFile', 'Import-IoResult', 'Import-SqlioResult', 'Import-DiskSpdResult', 'Receive-IoFleet') {
            foreach ($value in 5, 2.5, $true, [datetime]'2026-03-01', [guid]::Empty) { @{ Command = $command; Value = $value } }
        }
    ) {
        Push-Location -LiteralPath $TestDrive
        try {
            $more = @{ 'Measure-IoLimit' = @{ MaxLatencyMs = 5; WhatIf = $true }; 'New-IoTestFile' = @{ FileSize = '1MB'; WhatIf = $true } }[$Command] ?? @{}
            $problem = Get-ErrorOf { $Value | & $Command @more }
            $problem.Exception.Message | Should -BeLike "*($($Value.GetType().Name)) is not a path.*"
            Get-ChildItem | Should -BeNullOrEmpty
        } finally {
            Pop-Location
        }
    }
}

Describe 'Errors that say what to write' {
    It '<Line>' -ForEach @(
        @{ Line = "Invoke-IoTest -CommandLine 'foo -b8'"; Id = 'IoBench.NoCommandLines'; Text = "'foo -b8' contains no command line of sqlio, diskspd, or fio*" }
        @{ Line = 'Invoke-IoTest ./data ./log'; Id = 'IoBench.UnknownWorkload'; Text = '*Separate several paths with commas: ./data, ./log*' }
        @{ Line = 'Invoke-IoTest ./data -Duration 1,5'; Id = 'ParameterArgumentTransformationError'; Text = '*Specify only one duration*' }
        @{ Line = 'New-TestResult | Test-IoResult -Rule @{ Foo = 1 }'; Id = 'ParameterArgumentTransformationError'; Text = "*'Foo' is not a setting of a rule. Use *MinIOPS*MaxP99Ms*" }
        @{ Line = '@{ IOPS = 5 } | ConvertTo-IoRow'; Id = 'IoBench.NotAResult'; Text = '*neither a path nor an I/O pattern*' }
        @{ Line = "Invoke-IoTest '`$TestDrive/d' -FileSize 900TB"; Id = 'IoBench.NotEnoughSpace'; Text = '*needs 900 TB*'; Category = 'ResourceUnavailable' }
        @{ Line = 'Get-IoRuleSet nosuch'; Id = 'IoBench.UnknownRuleSet'; Text = '*'; Category = 'ObjectNotFound' }
        @{ Line = 'Get-IoWorkload nosuch'; Id = 'IoBench.UnknownWorkload'; Text = '*'; Category = 'ObjectNotFound' }
        @{ Line = 'Get-Night | Get-IoHistory -Since 2030-01-01'; Id = 'IoBench.NoHistory'; Text = 'The history contains 60 runs, but none since 2030-01-01. The last run began on 2026-02-08.' }
        @{ Line = 'Get-Night | Get-IoHistory -ComputerName nosuch'; Id = 'IoBench.NoHistory'; Text = '*60 runs, but none from the specified computers. Computers in the history: SQL1, SQL2*' }
    ) {
        $problem = Get-ErrorOf ([scriptblock]::Create($ExecutionContext.InvokeCommand.ExpandString($Line)))
        $problem.FullyQualifiedErrorId | Should -BeLike "$Id,*"
        $problem.Exception.Message | Should -BeLike $Text
        if ($_['Category']) { $problem.CategoryInfo.Category | Should -Be $Category }
    }

    It 'name the row of a table' {
        $rows = '1', '2', 'abc', '4' | ForEach-Object { [pscustomobject]@{ Path = "$TestDrive/a.dat"; OutstandingIO = $_; FileSize = '1MB' } }
        foreach ($command in { $rows | Invoke-IoTest -WhatIf }, { $rows | Measure-IoLimit -MaxLatencyMs 5 -WhatIf }) {
            (Get-ErrorOf $command).Exception.Message | Should -BeLike "Row 3: -OutstandingIO: 'abc' is not a whole number.*"
        }
    }
}

Describe 'Objects of dbatools' {
    It 'with a disk as Name bind to the path, and the instance is the label' {
        $disk = [pscustomobject]@{ ComputerName = 'SQL1'; SqlInstance = 'SQL1\I1'; Name = "$TestDrive"; Capacity = '1 TB'; Free = '1 GB' }
        $result = $disk | Invoke-IoTest -FileSize 1MB -Duration 0.1 -WarmUp 0 -Backend Null -WarningAction SilentlyContinue
        $result.Label | Should -Be 'SQL1\I1'
        $result.Path | Should -BeLike "$TestDrive*"
        (Get-ErrorOf { [pscustomobject]@{ Name = 'Q:\' } | Invoke-IoTest -WhatIf }).FullyQualifiedErrorId | Should -BeLike 'IoBench.DriveNotFound,*'
    }

    It 'with a file as PhysicalName have the instance as the label' {
        $test = [pscustomobject]@{ SqlInstance = 'SQL2'; PhysicalName = "$TestDrive/f.dat" } | Invoke-IoTest -FileSize 1MB -Duration 0.1 -WarmUp 0 -Backend Null -WarningAction SilentlyContinue
        $test.Label | Should -Be 'SQL2'
    }
}
