# Windows PowerShell 5.1 is not at hand: its script is read and run by PowerShell 7.
BeforeAll {
    . (Join-Path $PSScriptRoot 'Common.ps1')
    $script = Join-Path $repository 'Private' 'IoBench.WindowsPowerShell.ps1'
    $program = Join-Path $env:IOBENCH_TEST_BIN ($IsWindows ? 'iobench.exe' : 'iobench')
    $oldProgram = $env:IOBENCH_PROGRAM
    $env:IOBENCH_PROGRAM = $program
    . $script
    $quick = @{ FileSize = '8MB'; Duration = '0.2'; WarmUp = '0'; WarningAction = 'Ignore' }
}

AfterAll {
    $env:IOBENCH_PROGRAM = $oldProgram
}

Describe 'The script of Windows PowerShell' {
    It 'has only syntax of 5.1, in at most 300 lines' {
        $problems = $null
        $tree = [System.Management.Automation.Language.Parser]::ParseFile($script, [ref] $null, [ref] $problems)
        $problems | Should -BeNullOrEmpty
        $tree.FindAll({ $args[0] -is [System.Management.Automation.Language.TernaryExpressionAst] -or $args[0] -is [System.Management.Automation.Language.PipelineChainAst] }, $true) | Should -BeNullOrEmpty
        Get-Content -Raw $script | Should -Not -Match '\?\?|\?\.|\?\[|&&|\|\||-AsHashtable|-Parallel|clean \{'
        (Get-Content $script).Count | Should -BeLessOrEqual 300
    }

    It 'is what the module loads in 5.1, and its functions are exported' {
        Get-Content -Raw (Join-Path $repository 'IoBench.psm1') | Should -BeLike '*catch { if ($PSEdition -eq ''Desktop'') { . "$PSScriptRoot/Private/IoBench.WindowsPowerShell.ps1" } else *'
        (Import-PowerShellDataFile (Join-Path $repository 'Private' 'IoBench.PowerShell.psd1')).PowerShellVersion | Should -Be '7.4'
        $manifest = Import-PowerShellDataFile (Join-Path $repository 'IoBench.psd1')
        $manifest.CompatiblePSEditions | Should -Contain 'Desktop'
        $tree = [System.Management.Automation.Language.Parser]::ParseFile($script, [ref] $null, [ref] $null)
        $functions = $tree.FindAll({ $args[0] -is [System.Management.Automation.Language.FunctionDefinitionAst] }, $true)
        $functions.Name.Where({ $_ -match '-Io' }) | Sort-Object | Should -Be ($manifest.FunctionsToExport | Sort-Object)
        # A script for 5.1 runs in PowerShell 7 as well.
        foreach ($function in $functions.Where({ $_.Name -match '-Io' })) {
            $names = (Get-Command "IoBench\$($function.Name)" -CommandType Cmdlet).Parameters.Keys
            $function.Body.ParamBlock.Parameters.Name.VariablePath.UserPath.Where({ $_ -notin $names -and $_ -ne 'ArgumentList' }) | Should -BeNullOrEmpty -Because $function.Name
        }
    }

    It 'says what to do without the program' {
        $env:IOBENCH_PROGRAM, $path = $null, $env:PATH
        try {
            $env:PATH = "$TestDrive"
            { Import-IoResult x.json } | Should -Throw '*Add its folder to PATH, or set the environment variable IOBENCH_PROGRAM*' -ErrorId 'IoBench.NoProgram'
        } finally {
            $env:IOBENCH_PROGRAM, $env:PATH = $program, $path
        }
    }

    It 'quotes arguments as Windows programs read them: <Text>' -ForEach @(
        @{ Text = 'T:\x.dat'; Quoted = 'T:\x.dat' }
        @{ Text = 'T:\my data\'; Quoted = '"T:\my data\\"' }
        @{ Text = 'a "b"'; Quoted = '"a \"b\""' }
        @{ Text = ''; Quoted = '""' }
    ) {
        Format-Argument $Text | Should -Be $Quoted
    }
}

Describe 'The commands of Windows PowerShell' -Skip:(-not (Test-Path (Join-Path $env:IOBENCH_TEST_BIN ($IsWindows ? 'iobench.exe' : 'iobench')))) {
    BeforeAll {
        $file = Join-Path $TestDrive 'o.json'
        $result = Invoke-IoTest (Join-Path $TestDrive 't.dat') -Workload log-commit @quick -OutputPath $file
    }

    It 'run a test, and its result has the property names of the cmdlet' {
        $result.IOPS | Should -BeGreaterThan 0
        $result.Workload | Should -Be 'log-commit'
        $known = [IoBench.Engine.IoTestResult].GetProperties().Name
        $names = $result.PSObject.Properties.Name
        $names.Where({ $_ -cnotin $known }) | Should -BeNullOrEmpty
        foreach ($name in 'IOPS', 'IOPattern', 'IOCount', 'BandwidthMBps', 'ReadMBps', 'P99Ms', 'GcCount', 'CpuPercent') { ($names -ceq $name).Count | Should -Be 1 -Because $name }
    }

    It 'import, rate, compare, and report results' {
        $read = Import-IoResult $file
        $read.IOPS | Should -Be $result.IOPS
        ($read | Test-IoResult).Outcome | Should -BeIn ([IoBench.Analysis.VerdictOutcome].GetEnumNames())
        $read | Test-IoResult -Quiet -RuleSet hard-limits | Should -BeOfType ([bool])
        ($read | Test-IoResult -Summary).Sentence | Should -Match '^(PASS|PRELIMINARY PASS|FAIL|NOT RATED)'
        $row = (Import-IoResult $file -Label A), (Import-IoResult $file -Label B) | Compare-IoResult
        $row.Test, $row.Verdict, $row.Before | Should -Be 'log-commit', 'Inconclusive', $result.IOPS
        $report = $read | Export-IoReport (Join-Path $TestDrive 'r.html') -Title 'A "title" of 5.1' -PassThru
        Get-Content -Raw $report.FullName | Should -Match 'A &quot;title&quot; of 5\.1'
    }

    It 'verify integrity' {
        (Test-IoIntegrity (Join-Path $TestDrive 'v.dat') @quick).Integrity.ErrorCount | Should -Be 0
    }

    It 'have the error ids of the program' {
        $null = Invoke-IoTest (Join-Path $TestDrive 't.dat') -Workload nosuch -ErrorVariable problems -ErrorAction SilentlyContinue
        $problems[0].FullyQualifiedErrorId | Should -BeLike 'IoBench.UnknownWorkload,*'
    }
}
