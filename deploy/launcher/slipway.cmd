@echo off
rem Starts Slipway with the Node that lies beside it.
"%~dp0..\runtime\node.exe" "%~dp0slipway.mjs" %*
