# What keeps results: the file of -OutputPath, and the journal of the last run, which is kept without being asked for.
BeforeAll {
    . (Join-Path $PSScriptRoot 'Common.ps1')

    $quick = @{ FileSize = '8MB'; Duration = 0.2; WarmUp = 0; WarningAction = 'SilentlyContinue' }
    $null = $quick
}

Describe 'Invoke-IoTest -OutputPath' {
    BeforeEach {
        $folder = [System.IO.Directory]::CreateDirectory((Join-Path $TestDrive ([guid]::NewGuid()))).FullName
    }

    It 'saves each result at once and leaves out what is done with -Resume' {
        $file = Join-Path $folder 'night.json'
        $plan = $quick + @{ Path = $folder; Backend = 'Null'; OutstandingIO = 1, 2, 4; OutputPath = $file }
        $first = Invoke-IoTest @plan | Select-Object -First 2
        (Import-IoResult $file).OutstandingIO | Should -Be 1, 2
        $rest = Invoke-IoTest @plan -Resume
        $rest.OutstandingIO | Should -Be 4
        (Import-IoResult $file).OutstandingIO | Should -Be 1, 2, 4
        (Import-IoResult $file)[0].RunId | Should -Be $first[0].RunId
        Invoke-IoTest @plan -Resume | Should -BeNullOrEmpty
    }

    It 'goes on with a night that the program began, and the program with one that the cmdlet began' {
        $program = [System.IO.Path]::Combine($env:IOBENCH_TEST_BIN, 'iobench.dll')
        if (-not (Test-Path $program)) {
            Set-ItResult -Skipped -Because 'needs the program, which is not built'
            return
        }
        $plan = $quick + @{ Path = $folder; Backend = 'Null'; Workload = 'page-read-qd1', 'log-commit'; Repeat = 2; Label = 'SAN' }
        $arguments = 'run', $folder, '--size', '8MB', '--duration', '0.2s', '--warm-up', '0', '--backend', 'null', '--workload', 'page-read-qd1,log-commit', '--repeat', '2', '--label', 'SAN', '--quiet'

        $file = Join-Path $folder 'program.json'
        $null = dotnet $program @arguments --output $file
        $LASTEXITCODE | Should -Be 0
        $begun = Import-IoResult $file
        $begun.Count | Should -Be 4
        $begun | Select-Object -First 3 | Export-IoResult -Path $file -Format Json -Force
        $rest = @(Invoke-IoTest @plan -OutputPath $file -Resume)
        $rest.Count | Should -Be 1
        (Import-IoResult $file).RunId | Should -Be (@($begun.RunId | Select-Object -First 3) + $rest.RunId)

        $file = Join-Path $folder 'cmdlet.json'
        $begun = Invoke-IoTest @plan -OutputPath $file | Select-Object -First 1
        $null = dotnet $program @arguments --output $file --resume
        $LASTEXITCODE | Should -Be 0
        $all = Import-IoResult $file
        $all.Count | Should -Be 4
        $all[0].RunId | Should -Be $begun.RunId
    }

    It 'begins a file that is not there with -Resume' {
        $file = Join-Path $folder 'new.json'
        (Invoke-IoTest $folder @quick -Backend Null -OutputPath $file -Resume).Count | Should -Be 1
        (Import-IoResult $file).Count | Should -Be 1
    }

    It 'does not replace a file unless forced' {
        $file = Join-Path $folder 'night.json'
        Set-Content $file '[]'
        { Invoke-IoTest $folder @quick -Backend Null -OutputPath $file } | Should -Throw -ErrorId 'IoBench.FileExists,IoBench.PowerShell.InvokeIoTestCommand'
        Get-Content $file | Should -Be '[]'
        Invoke-IoTest $folder @quick -Backend Null -OutputPath $file -Force | Out-Null
        (Import-IoResult $file).Count | Should -Be 1
    }
}

Describe 'The journal of the last run' {
    BeforeEach {
        $folder = [System.IO.Directory]::CreateDirectory((Join-Path $TestDrive ([guid]::NewGuid()))).FullName
        $env:IOBENCH_JOURNAL = Join-Path $folder 'journal'
        $plan = $quick + @{ Path = (Join-Path $folder 'x.dat'); Backend = 'Null'; OutstandingIO = 1, 2, 4 }
        $null = $plan
    }

    AfterAll { $env:IOBENCH_JOURNAL = 'off' }

    It 'is what Import-IoResult -Last reads' {
        (Get-ErrorOf { Import-IoResult -Last }).FullyQualifiedErrorId | Should -Be 'IoBench.NoJournal,IoBench.PowerShell.ImportIoResultCommand'
        $results = Invoke-IoTest @plan
        (Import-IoResult -Last).RunId | Should -Be $results.RunId
        (Import-IoResult -Last -Label again).Label | Should -Be 'again', 'again', 'again'
    }

    It 'has what was measured before the pipeline was stopped, and -Resume without a file runs the rest' {
        $first = Invoke-IoTest @plan | Select-Object -First 2
        (Import-IoResult -Last).RunId | Should -Be $first.RunId
        $rest = @(Invoke-IoTest @plan -Resume)
        $rest.OutstandingIO | Should -Be 4
        (Import-IoResult -Last).OutstandingIO | Should -Be 1, 2, 4
        Invoke-IoTest @plan -Resume | Should -BeNullOrEmpty
    }

    It 'has what was measured before Ctrl+C' {
        $shell = [powershell]::Create()
        $null = $shell.AddScript('param($Module, $Plan) Import-Module $Module; Invoke-IoTest @Plan -Repeat 100').AddArgument("$repository/IoBench.psd1").AddArgument($plan)
        $null = $shell.BeginInvoke()
        $deadline = [datetime]::UtcNow.AddSeconds(60)
        while (-not (Get-ChildItem $env:IOBENCH_JOURNAL -ErrorAction Ignore | Where-Object Length -GT 1000) -and [datetime]::UtcNow -lt $deadline) { Start-Sleep -Milliseconds 50 }
        $shell.Stop()
        $shell.Dispose()
        @(Import-IoResult -Last).Count | Should -BeIn (1..299)
    }

    It 'is not gone on with by another command' {
        $null = Invoke-IoTest @plan
        $plan.BlockSize = '64KB'
        (Get-ErrorOf { Invoke-IoTest @plan -Resume }).FullyQualifiedErrorId | Should -Be 'IoBench.NothingToResume,IoBench.PowerShell.InvokeIoTestCommand'
    }

    It 'is there for sessions of tests that were not to be run: -WhatIf touches nothing' {
        Invoke-IoTest @plan -WhatIf
        $env:IOBENCH_JOURNAL | Should -Not -Exist
    }
}

Describe 'An output that is there already' {
    It 'is found before anything comes through the pipeline' {
        $file = Join-Path $TestDrive 'there.json'
        Set-Content $file '[]'
        $asked = [System.Collections.Generic.List[string]]::new()
        { 1..2 | ForEach-Object { $asked.Add("$_"); "$TestDrive/$_.dat" } | Invoke-IoTest @quick -Backend Null -OutputPath $file } | Should -Throw -ErrorId 'IoBench.FileExists,IoBench.PowerShell.InvokeIoTestCommand'
        $asked | Should -BeNullOrEmpty
        Get-Content $file | Should -Be '[]'
    }
}
